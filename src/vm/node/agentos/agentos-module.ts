// The module "agentos" of a guest's Node: the host's tools as functions. A builtin, so that every script finds it.

import type { CallOptions } from "./call-options.ts";
import { ToolDevice } from "./tool-device.ts";
import { ToolError } from "./tool-error.ts";
import { makeTools } from "./tools-proxy.ts";

export const AGENTOS_MODULE = "agentos";
/** How many calls wait for their result: read by code-mode/guest/evaluate.ts when code ends. */
const CALLS_UNDER_WAY = Symbol.for("agentos.callsUnderWay");
/** As Node's own library requires it. */
const BUFFER = "buffer";

/** A builtin's function: (exports, require, module). */
export function agentosModule(
  _: unknown,
  require: (id: string) => any,
  module: { exports: unknown },
): void {
  const device = new ToolDevice(require(BUFFER).Buffer);
  const tools = makeTools(device);
  const helpers = {
    tools,
    list: async (options?: CallOptions) =>
      (await device.call({ op: "list" }, options)).toolkits as unknown,
    search: (query: string, limit?: number, options?: CallOptions) =>
      device.call({ op: "search", query, ...(limit === undefined ? {} : { limit }) }, options),
    describe: (toolkit: string, options?: CallOptions) =>
      device.call({ op: "describe", toolkit }, options),
    call: (toolkit: string, tool: string, input: unknown = {}, options?: CallOptions) =>
      device.call({ op: "call", toolkit, tool, input }, options),
    ToolError,
  };
  Object.defineProperty(helpers, CALLS_UNDER_WAY, { get: () => device.callsUnderWay });
  // `import tools from "agentos"` and `require("agentos")` are the tools, with the helpers beside them.
  module.exports = new Proxy(helpers, {
    get: (target, name, receiver) =>
      Object.hasOwn(target, name) ? Reflect.get(target, name, receiver) : tools[name],
  });
}

/** Keeps it out of `module.builtinModules`, which lists what Node has. */
export function hideAgentosModule(BuiltinModule: any): void {
  const listAll: () => string[] = BuiltinModule.getAllBuiltinModuleIds;
  BuiltinModule.getAllBuiltinModuleIds = () => listAll().filter((id) => id !== AGENTOS_MODULE);
}
