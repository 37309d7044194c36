import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

const { values: defaults, info, ...rest } = staticsOf("options");

/** Node's options as parsed for this process. */
export const optionValues: Map<string, unknown> = new Map(Object.entries(defaults));
interface OptionInfo {
  readonly type: number;
  readonly envVarSettings: number;
  readonly defaultIsTrue: boolean;
}

export const optionInfo: {
  readonly options: ReadonlyMap<string, OptionInfo>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
} = info;

export const options = (): Binding => ({
  ...rest,
  getCLIOptionsValues: () => Object.assign(Object.create(null), Object.fromEntries(optionValues)),
  getCLIOptionsInfo: () => info,
  getOptionsAsFlags: optionsAsFlags,
  getEmbedderOptions: () => ({
    shouldNotRegisterESMLoader: false,
    noGlobalSearchPaths: false,
    noBrowserGlobals: false,
    hasEmbedderPreload: false,
  }),
  getEnvOptionsInputType: () => new Map(),
  getNamespaceOptionsInputType: () => new Map(),
});

/** Node's own options as a command line would say them; V8's are left out. */
function optionsAsFlags(): string[] {
  const { kBoolean, kInteger, kUInteger, kString, kStringList, kHostPort } = rest["types"];
  const flags: string[] = [];
  for (const [name, { type, defaultIsTrue }] of optionInfo.options) {
    const value: any = optionValues.get(name);
    if (name === "" || name.startsWith("[")) continue;
    if (type === kBoolean && value !== defaultIsTrue)
      flags.push(value === true ? name : `--no-${name.slice(2)}`);
    if (type === kInteger || type === kUInteger) flags.push(`${name}=${value}`);
    if (type === kString && value !== "" && value !== undefined) flags.push(`${name}=${value}`);
    if (type === kStringList) for (const one of value ?? []) flags.push(`${name}=${one}`);
    if (type === kHostPort && value?.port !== 0)
      flags.push(`${name}=${value?.host}:${value?.port}`);
  }
  return flags;
}
