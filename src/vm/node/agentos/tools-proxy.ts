// `tools.<toolkit>.<tool>(input)`: names in camelCase, or as they are in the commands.
import type { CallOptions } from "./call-options.ts";
import type { ToolDevice } from "./tool-device.ts";

type Tool = ((input?: unknown, options?: CallOptions) => Promise<unknown>) & {
  stream: (input?: unknown, options?: CallOptions) => AsyncIterableIterator<unknown>;
};

/** Names of which it is certain what they are in the commands: `listIssues` is `list-issues`. */
const PLAIN = /^[a-z]+(?:[A-Z][a-z]+)*$/;

export function makeTools(device: ToolDevice): Record<string | symbol, unknown> {
  return named("tools", (toolkit) =>
    named(`tools.${toolkit}`, (tool) => makeTool(device, toolkit, tool)),
  );
}

/** An object with whatever property is asked for, made once. `await` must not take it for a promise. */
function named(text: string, make: (name: string) => unknown): Record<string | symbol, unknown> {
  const made = new Map<string, unknown>();
  return new Proxy(Object.create(null), {
    get(_, name) {
      if (name === Symbol.toPrimitive) return () => `[${text}]`;
      if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
      const value = made.get(name) ?? make(name);
      made.set(name, value);
      return value;
    },
  });
}

function makeTool(device: ToolDevice, toolkit: string, tool: string): Tool {
  const names = new Names(device, toolkit, tool);
  const run = (input: unknown = {}, options?: CallOptions): Promise<unknown> =>
    names.with((what) => device.call({ ...what, input }, options));
  const stream = (input: unknown = {}, options?: CallOptions): AsyncIterableIterator<unknown> =>
    names.found === undefined
      ? later(() => names.with(async (what) => device.stream({ ...what, input }, options)))
      : device.stream({ ...names.found, input }, options);
  return Object.assign(run, { stream });
}

interface Called {
  readonly op: "call";
  readonly toolkit: string;
  readonly tool: string;
}

/** What a tool is called in the commands. */
class Names {
  readonly #device: ToolDevice;
  readonly #toolkit: string;
  readonly #tool: string;
  found: Called | undefined;

  constructor(device: ToolDevice, toolkit: string, tool: string) {
    this.#device = device;
    this.#toolkit = toolkit;
    this.#tool = tool;
    if (PLAIN.test(toolkit) && PLAIN.test(tool))
      this.found = { op: "call", toolkit: toKebab(toolkit), tool: toKebab(tool) };
  }

  with<Value>(then: (called: Called) => Promise<Value>): Promise<Value> {
    return this.found === undefined ? this.#find().then(then) : then(this.found);
  }

  /** Looks for the toolkit and the tool whose name in JavaScript it is. */
  async #find(): Promise<Called> {
    const { toolkits } = await this.#device.call({ op: "list" });
    const toolkit = nameIn(toolkits, this.#toolkit);
    const { tools } = await this.#device.call({ op: "describe", toolkit });
    this.found = { op: "call", toolkit, tool: nameIn(tools, this.#tool) };
    return this.found;
  }
}

/** The name itself where nothing is called so: the host says that there is none. */
function nameIn(all: readonly { readonly name: string }[], name: string): string {
  const found = all.find((one) => one.name === name || toCamel(one.name) === name);
  return found?.name ?? name;
}

function toKebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** As toJavaScriptName of toolkit-cli/names.ts; a test compares the two. */
export function toCamel(name: string): string {
  const camel = name
    .split("-")
    .map((word, position) => (position === 0 ? word : capitalize(word)))
    .join("");
  if (camel === "then") return "then_";
  return /^\p{N}/u.test(camel) ? `_${camel}` : camel;
}

function capitalize(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}

async function* later<Value>(
  make: () => Promise<AsyncIterableIterator<Value>>,
): AsyncGenerator<Value, void> {
  yield* await make();
}
