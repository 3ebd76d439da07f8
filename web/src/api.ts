// The API of the server that this page came from.

import type {
  Answer, CallResult, ConversationAbout, ConversationKept, Drawn, Edge, Example, GraphPage, Graphs, Json, Neighbours, NodeName,
  NodePage, ProblemDetails, Rounds, Sample, Step, Verification,
} from "./types";

const TOKEN = "graphtalk-token";
const NAMES_AT_ONCE = 1000;

/** What the server refused, in its words. */
export class Problem extends Error {
  constructor(readonly status: number, readonly detail: string) {
    super(detail);
  }
}

export interface Question {
  graph: string;
  question: string;
  reasoner: string;
  lm: string;
  conversation: string;
  choose?: number; // the alternative to answer by
}

/** The token is kept for this tab alone. */
export function setToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export const hasToken = (): boolean => sessionStorage.getItem(TOKEN) !== null;

async function send(path: string, body?: unknown, accept = "application/json", signal?: AbortSignal, method?: string) {
  const headers: Record<string, string> = { Accept: accept };
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers["Authorization"] = `Bearer ${token}`;
  const file = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = file ? "application/octet-stream" : "application/json";
  const how = { method: method ?? (body === undefined ? "GET" : "POST"), headers, signal: signal ?? null };
  let reply: Response;
  try {
    reply = await fetch(path, body === undefined ? how : { ...how, body: file ? body : JSON.stringify(body) });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "The server cannot be reached. Is it still running?");
  }
  if (!reply.ok) throw new Problem(reply.status, await detail(reply));
  return reply;
}

async function detail(reply: Response): Promise<string> {
  try {
    return ((await reply.json()) as ProblemDetails).detail;
  } catch {
    return `${reply.status} ${reply.statusText}`;
  }
}

async function get<T>(path: string): Promise<T> {
  return (await (await send(path)).json()) as T;
}

async function post<T>(path: string, body: unknown): Promise<T> {
  return (await (await send(path, body)).json()) as T;
}

const at = encodeURIComponent;

export const graphs = (): Promise<Graphs> => get("v1/graphs");
export const graph = (name: string): Promise<GraphPage> => get(`v1/graphs/${at(name)}`);
export const node = (name: string, id: string): Promise<NodePage> => get(`v1/graphs/${at(name)}/nodes/${at(id)}`);
export const call = (name: string, spelling: string): Promise<CallResult> => post("v1/call", { graph: name, call: spelling });
export const verify = (name: string, answer: Answer): Promise<Verification> => post("v1/verify", { graph: name, answer });
export const rounds = (name: string, question: string): Promise<Rounds> => post("v1/rounds", { graph: name, question });
export const conversation = (id: string): Promise<ConversationKept> => get(`v1/conversations/${at(id)}`);

export async function conversations(): Promise<ConversationAbout[]> {
  return (await get<{ conversations: ConversationAbout[] }>("v1/conversations")).conversations;
}

export async function rename(id: string, title: string): Promise<void> {
  await send(`v1/conversations/${at(id)}`, { title }, "application/json", undefined, "PATCH");
}

export async function forget(id: string): Promise<void> {
  await send(`v1/conversations/${at(id)}`, undefined, "application/json", undefined, "DELETE");
}

/** What nodes are called, and the edges among them. */
export async function among(name: string, ids: string[]): Promise<{ nodes: Drawn[]; edges: Edge[] }> {
  return post(`v1/graphs/${at(name)}/names`, { ids, edges: true });
}

/** Import a file as a graph called `name`. */
export async function upload(name: string, file: string, content: Blob): Promise<void> {
  await send(`v1/graphs?${new URLSearchParams({ name, file })}`, content);
}

/** Keep whether an answer was right. */
export async function feedback(answer: Answer, asked: string, right: boolean, note: string): Promise<void> {
  const call = answer.calls.at(-1)?.spelling ?? "";
  await send("v1/feedback", { graph: answer.graph, question: answer.question || asked, answer: answer.value, call, right, note });
}

/** Nodes with a name of which a word begins so, else those that are like it. */
export async function search(name: string, words: string): Promise<NodeName[]> {
  return (await get<{ hits: NodeName[] }>(`v1/graphs/${at(name)}/search?q=${at(words)}&limit=8&begins=true`)).hits;
}

export async function examples(name: string): Promise<Example[]> {
  return (await get<{ examples: Example[] }>(`v1/graphs/${at(name)}/examples`)).examples;
}

/** Some of a graph to draw, and how many nodes there are of these types. */
export async function sample(name: string, limit: number, types: string[] = [], relations: string[] = []): Promise<{ nodes: Drawn[]; edges: Edge[]; total: number }> {
  const asked = new URLSearchParams([["limit", String(limit)], ...types.map((type) => ["types", type]), ...relations.map((relation) => ["relations", relation])]);
  const { types: kinds, relations: called, total, ...found } = await get<Sample>(`v1/graphs/${at(name)}/sample?${asked}`);
  const nodes = found.id.map((id, n): Drawn => ({ id, label: found.label[n]!, type: kinds[found.type[n]!]!, degree: found.degree[n]! }));
  const edges = found.source.map((from, n): Edge => [found.id[from]!, called[found.relation[n]!]!, found.id[found.target[n]!]!]);
  return { nodes, edges, total };
}

export function neighbours(name: string, id: string, relation: string, offset: number, limit = 25): Promise<Neighbours> {
  const asked = new URLSearchParams({ relation, offset: String(offset), limit: String(limit) });
  return get(`v1/graphs/${at(name)}/nodes/${at(id)}/neighbours?${asked}`);
}

/** What nodes are called, and what they have of a feature. */
export async function names(name: string, ids: string[], feature = ""): Promise<Drawn[]> {
  const found: Drawn[] = [];
  for (let start = 0; start < ids.length; start += NAMES_AT_ONCE) {
    const part = ids.slice(start, start + NAMES_AT_ONCE);
    const { nodes } = await post<{ nodes: (Drawn & { value: Json })[] }>(`v1/graphs/${at(name)}/names`, { ids: part, feature });
    found.push(...nodes.map(({ value, ...node }) => (feature ? { ...node, values: { [feature]: value } } : node)));
  }
  return found;
}

/** Ask; `onStep` hears each step as it happens. */
export async function ask(question: Question, onStep: (step: Step) => void, signal: AbortSignal): Promise<Answer> {
  const reply = await send("v1/ask", { ...question, trace: true }, "text/event-stream", signal);
  for await (const [kind, data] of events(reply)) {
    if (kind === "step") onStep(JSON.parse(data) as Step);
    if (kind === "answer") return JSON.parse(data) as Answer;
    if (kind === "problem") {
      const problem = JSON.parse(data) as ProblemDetails;
      throw new Problem(problem.status, problem.detail);
    }
  }
  throw new Problem(0, "The connection was cut before the answer came.");
}

/** Server-sent events: kind and data of each. */
async function* events(reply: Response): AsyncGenerator<[string, string]> {
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      let kind = "message";
      let data = "";
      for (const line of block.split("\n")) {
        if (line.startsWith("event: ")) kind = line.slice(7);
        if (line.startsWith("data: ")) data += line.slice(6);
      }
      if (data) yield [kind, data];
    }
  }
}
