// `tools.<toolkit>.<tool>(input)`: names in camelCase, or as they are in the commands.
import type { CallOptions } from "./call-options.ts";
import { findKebab, toCamel } from "./javascript-names.ts";
import type { ToolDevice } from "./tool-device.ts";

type Tool = ((input?: unknown, options?: CallOptions) => Promise<unknown>) & {
  stream: (input?: unknown, options?: CallOptions) => AsyncIterableIterator<unknown>;
};

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
    const [kit, name] = [findKebab(toolkit), findKebab(tool)];
    if (kit !== undefined && name !== undefined)
      this.found = { op: "call", toolkit: kit, tool: name };
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

async function* later<Value>(
  make: () => Promise<AsyncIterableIterator<Value>>,
): AsyncGenerator<Value, void> {
  yield* await make();
}
