/** npm's settings: the command line's, the environment's, and those of the three npmrc files. */
import type { Sys } from "../../../kernel/index.ts";
import { findFile } from "./files.ts";
import { parseIni } from "./ini.ts";
import { below, resolveFrom } from "./paths.ts";
import { defaults } from "./setting-names.ts";

export type SettingSource = "cli" | "env" | "project" | "user" | "global";

export interface SettingLayer {
  readonly source: SettingSource;
  /** Where its settings stand; none for the command line. */
  readonly place: string;
  readonly settings: ReadonlyMap<string, readonly string[]>;
}

export class Config {
  /** The strongest first. */
  readonly layers: readonly SettingLayer[];

  constructor(layers: readonly SettingLayer[]) {
    this.layers = layers;
  }

  /** What was said, by whomever; undefined where nobody did. */
  findAll(name: string): readonly string[] | undefined {
    for (const { settings } of this.layers) {
      const values = settings.get(name);
      if (values !== undefined) return values;
    }
    return undefined;
  }

  find(name: string): string | undefined {
    return this.findAll(name)?.at(-1);
  }

  get(name: string): string {
    return this.find(name) ?? defaults.get(name) ?? "";
  }

  is(name: string): boolean {
    const value = this.get(name);
    return value !== "" && value !== "false" && value !== "null";
  }

  /** Said, and said to be false. */
  isOff(name: string): boolean {
    return this.find(name) === "false";
  }

  list(name: string): readonly string[] {
    return (this.findAll(name) ?? [])
      .flatMap((one) => one.split(/\n\n|,/))
      .filter((one) => one !== "");
  }

  get isSilent(): boolean {
    return this.get("loglevel") === "silent";
  }

  /** Whether a message of this weight is said. */
  says(level: "error" | "warn" | "notice"): boolean {
    const order = ["silent", "error", "warn", "notice", "http", "info", "verbose", "silly"];
    return order.indexOf(this.get("loglevel")) >= order.indexOf(level);
  }
}

export interface ConfigPlaces {
  readonly project: string;
  readonly user: string;
  readonly global: string;
}

export function configPlaces(
  localPrefix: string,
  globalPrefix: string,
  environment: ReadonlyMap<string, string>,
): ConfigPlaces {
  const home = environment.get("HOME") ?? "/";
  return {
    project: below(localPrefix, ".npmrc"),
    user: environment.get("npm_config_userconfig") ?? resolveFrom(home, ".npmrc"),
    global: environment.get("npm_config_globalconfig") ?? below(globalPrefix, "etc/npmrc"),
  };
}

export async function loadConfig(
  sys: Sys,
  places: ConfigPlaces,
  commandLine: ReadonlyMap<string, readonly string[]>,
): Promise<Config> {
  const environment = await sys.environ();
  const read = async (source: SettingSource, place: string): Promise<SettingLayer> => {
    const text = await findFile(sys, place);
    return { source, place, settings: parseIni(text ?? "", environment) };
  };
  const layers: SettingLayer[] = [
    { source: "cli", place: "", settings: commandLine },
    { source: "env", place: "", settings: environmentSettings(environment) },
  ];
  if (places.user !== places.project) layers.push(await read("project", places.project));
  layers.push(await read("user", places.user), await read("global", places.global));
  return new Config(layers);
}

/** `npm_config_save_dev=true` and the like. */
function environmentSettings(environment: ReadonlyMap<string, string>): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const [name, value] of environment) {
    const match = /^npm_config_([^_].*)$/i.exec(name);
    if (match === null || value === "") continue;
    const key = (match[1] ?? "").toLowerCase().replaceAll(/(?!^)_/g, "-");
    if (!inherited.has(key)) settings.set(key, value.split("\n\n"));
  }
  const nodeEnvironment = environment.get("NODE_ENV");
  if (nodeEnvironment === "production" && !settings.has("omit")) settings.set("omit", ["dev"]);
  return settings;
}

/** What npm tells its scripts of itself, and does not take from them. */
const inherited = new Set([
  "global-prefix",
  "globalconfig",
  "init-module",
  "local-prefix",
  "noproxy",
  "npm-version",
  "user-agent",
  "userconfig",
]);
