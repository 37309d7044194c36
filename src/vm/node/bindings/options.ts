import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

const { values: defaults, info, ...rest } = staticsOf("options");

/** Node's options as parsed for this process. */
export const optionValues: Map<string, unknown> = new Map(Object.entries(defaults));
export const optionInfo: {
  readonly options: ReadonlyMap<string, { readonly type: number; readonly envVarSettings: number; readonly defaultIsTrue: boolean }>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
} = info;

export const options = (): Binding => ({
  ...rest,
  getCLIOptionsValues: () => Object.assign(Object.create(null), Object.fromEntries(optionValues)),
  getCLIOptionsInfo: () => info,
  getOptionsAsFlags: () => [],
  getEmbedderOptions: () => ({
    shouldNotRegisterESMLoader: false,
    noGlobalSearchPaths: false,
    noBrowserGlobals: false,
    hasEmbedderPreload: false,
  }),
  getEnvOptionsInputType: () => new Map(),
  getNamespaceOptionsInputType: () => new Map(),
});
