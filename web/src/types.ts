// The objects of the API, as /openapi.json describes them.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Edge = [source: string, relation: string, target: string];

export interface Evidence { nodes: string[]; edges: Edge[]; complete: boolean }
export interface CallMade { spelling: string; cypher?: string; result: Json; seconds: number }
export interface Step { kind: "thought" | "call" | "observation" | "answer"; text: string }

export interface Rounds { lines: string[]; picture: string } // an SVG, or "" where the graph is too large

export interface Alternative { reading: string; call: string; confidence: number }

export interface Answer {
  answered: boolean;
  answer: string;
  value: Json;
  confidence?: number | null;
  alternatives?: Alternative[]; // turns kept by an earlier version have none
  evidence: Evidence;
  calls: CallMade[];
  near: string[];
  reason?: string; // why there is no answer, without what is offered
  stopped: string;
  unsupported: string[];
  remarks?: string[]; // turns kept by an earlier version have none
  reading?: string; // so do they here
  reasoner: string;
  lm: string;
  usage: Record<string, number>;
  seconds: number;
  trace?: Step[];
  graph: string;
  question: string;
  conversation?: string | null;
  parts: Answer[];
}

export interface GraphSummary { name: string; nodes: number; edges: number; graphs: number }
export interface Graphs {
  graphs: GraphSummary[];
  lms: string[];
  reasoners: Record<string, string[]>;
  default: { lm: string; reasoner: string };
  upload: number; // bytes of the largest file that may become a graph; 0: none may
}
export interface Feature { name: string; kind: string }
export interface TypeAbout { name: string; count: number; features: Feature[] }
export interface RelationAbout { name: string; source: string; target: string; count: number; inverse: string }
export interface GraphPage extends GraphSummary {
  description: string;
  questions: string[];
  node_types: TypeAbout[];
  relations: RelationAbout[];
}
export interface Example { kind: string; question: string }
export interface Sample {
  types: string[];
  relations: string[];
  id: string[];
  label: string[];
  type: number[];
  degree: number[];
  source: number[];
  target: number[];
  relation: number[];
  total: number;
}
export interface NodeName { id: string; label: string; type: string }
export interface Drawn extends NodeName { degree: number; values?: Record<string, Json> }
export interface NodePage extends NodeName { features: Record<string, Json>; relations: Record<string, number> }
export interface Neighbour extends Drawn { relation: string; edge: Edge }
export interface Neighbours { total: number; limit: number; offset: number; neighbours: Neighbour[] }
export interface CallResult { call: string; result: Json; evidence: Evidence; remarks: string[]; seconds: number }
export interface Verification { same: boolean; verdict: "same" | "differs" | "concluded" | "nothing"; differences: string[]; checked: string[]; unchecked: string[] }
export interface ConversationAbout { id: string; graph: string; title: string; changed: number }
export interface ConversationKept extends ConversationAbout { turns: { asked: string; answer: Answer }[] }
export interface ProblemDetails { title: string; status: number; detail: string }
