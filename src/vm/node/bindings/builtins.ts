import { AGENTOS_MODULE, agentosModule } from "../agentos/agentos-module.ts";
import { call } from "../channel.ts";
import { native } from "../native.ts";
import { compiled, library } from "../statics.ts";
import type { Binding } from "./base.ts";
import { TYPESCRIPT_PARSER, typescriptParser } from "./builtins/typescript-parser.ts";

const parameters = ["exports", "require", "module", "process", "internalBinding", "primordials"];

/** Node's own, and the host's tools. */
const builtinIds = [...library.builtinIds, AGENTOS_MODULE];

/** Which builtins there are, and their code: from the snapshot, or from the kernel when first asked for. */
export const builtins = (): Binding => ({
  builtinIds,
  config: library.config,
  builtinCategories: { canBeRequired: builtinIds, cannotBeRequired: [] },
  natives: {},
  compileFunction,
  setInternalLoaders(
    internalBinding: Loaders["internalBinding"],
    require: Loaders["require"],
  ): void {
    loaders.internalBinding = internalBinding;
    loaders.require = require;
  },
  hasCachedBuiltins: () => true,
  getCacheUsage: () => ({
    compiledWithCache: [],
    compiledWithoutCache: [],
    compiledInSnapshot: [],
  }),
});

interface Loaders {
  internalBinding: (name: string) => any;
  require: (id: string) => any;
}

/** Node's loaders, once its realm script has made them. */
export const loaders: Loaders = { internalBinding: () => undefined, require: () => undefined };

function compileFunction(id: string): unknown {
  if (id === TYPESCRIPT_PARSER) return typescriptParser;
  if (id === AGENTOS_MODULE) return agentosModule;
  return compiled[id] ?? compileBuiltin(id, parameters);
}

/** A builtin's code as a function of these parameters. */
export function compileBuiltin(id: string, names: readonly string[]): unknown {
  const source: string = call("builtinSource", id);
  return native["compileBuiltin"](source, `node:${id}`, names);
}

/** One of Node's main scripts, or of its bootstrap. */
export function compileMain(id: string): any {
  return (
    compiled[id] ?? compileBuiltin(id, ["process", "require", "internalBinding", "primordials"])
  );
}
