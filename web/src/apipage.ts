// The API, from the description that the server gives of itself.

import { fill, h } from "./dom";
import { theme } from "./theme";
import type { Json } from "./types";

interface Parameter { name: string; in: string; required?: boolean; schema?: { type?: string } }
interface Operation {
  description?: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
}
interface Described {
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

function operation(method: string, path: string, made: Operation, schemas: Record<string, Json>): HTMLElement {
  const parameters = (made.parameters ?? []).map((p) => h("li", {}, h("code", {}, p.name), ` ${p.schema?.type ?? ""}, in the ${p.in}${p.required ? "" : ", optional"}`));
  const name = made.requestBody?.content["application/json"]?.schema.$ref?.split("/").pop();
  const body = name && schemas[name] ? h("details", {}, h("summary", {}, `Body: ${name}`), h("pre", {}, JSON.stringify(schemas[name], null, 2))) : null;
  return h("section", {}, h("h2", {}, h("code", {}, `${method.toUpperCase()} ${path}`)), h("p", {}, made.description ?? made.summary ?? ""), h("ul", {}, ...parameters), body);
}

async function show(): Promise<void> {
  const place = document.querySelector("#api")!;
  const reply = await fetch("openapi.json");
  const described = (await reply.json()) as Described;
  const sections = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, made]) => operation(method, path, made, described.components.schemas)),
  );
  const head = h("h1", {}, `${described.info.title} ${described.info.version}: the HTTP API`);
  const links = h("p", {}, h("a", { href: "./" }, "The page"), " · ", h("a", { href: "openapi.json" }, "openapi.json"));
  fill(place, head, h("p", {}, described.info.description), links, ...sections);
}

theme();
void show();
