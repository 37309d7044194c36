/** The environment npm gives to scripts and to what `npx` runs. */
import { isList, isObject, type Json, type JsonObject, property } from "./json.ts";
import { packageBins } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { below, resolveFrom, withAncestors } from "./paths.ts";
import { NODE_VERSION, NPM_VERSION } from "./versions.ts";

export interface ScriptFacts {
  readonly folder: string;
  readonly manifest: JsonObject;
  readonly event: string;
  readonly script: string;
  /** Folders of commands that come before the project's. */
  readonly binFolders?: readonly string[];
}

const SOFTWARE_BIN = "/node_modules/.bin";

/** Names and values beyond this are left out: a manifest is a guest's. */
const VARIABLE_LIMIT = 1000;

export function scriptEnvironment(run: NpmRun, facts: ScriptFacts): Map<string, string> {
  const { environment, places } = run;
  const env = new Map(environment);
  for (const [name, value] of npmVariables(run)) env.set(name, value);
  for (const [name, value] of packageVariables(facts.manifest)) env.set(name, value);
  env.set("npm_package_json", below(facts.folder, "package.json"));
  env.set("npm_lifecycle_event", facts.event);
  env.set("npm_lifecycle_script", facts.script);
  env.set("PATH", commandPath(facts, environment.get("PATH") ?? "/usr/local/bin:/usr/bin:/bin"));
  if (!env.has("INIT_CWD")) env.set("INIT_CWD", places.cwd);
  return env;
}

/**
 * Every node_modules/.bin upwards, then what was there. /node_modules is the host's software, whose commands come
 * last: the VM's own programs win.
 */
function commandPath({ folder, binFolders = [] }: ScriptFacts, path: string): string {
  const before = new Set([...binFolders, ...projectBins(folder)]);
  const after = new Set(path.split(":").filter((one) => one !== SOFTWARE_BIN && !before.has(one)));
  return [...before, ...after, SOFTWARE_BIN].join(":");
}

/** Where the commands of a project's packages are, the nearest first. */
export function projectBins(folder: string): string[] {
  return withAncestors(folder)
    .filter((one) => one !== "/")
    .map((one) => below(one, "node_modules/.bin"));
}

function npmVariables(run: NpmRun): Map<string, string> {
  const { places, config, environment } = run;
  const home = environment.get("HOME") ?? "/";
  const node = environment.get("npm_node_execpath") ?? "/usr/bin/node";
  const hasWorkspaces = config.is("workspaces") || config.list("workspace").length > 0;
  const agent = `npm/${NPM_VERSION} node/v${NODE_VERSION} linux x64 workspaces/${hasWorkspaces}`;
  const variables = new Map([
    ["npm_command", run.command],
    ["npm_execpath", "/usr/bin/npm"],
    ["npm_node_execpath", node],
    ["NODE", node],
    ["npm_config_cache", resolveFrom(home, ".npm")],
    ["npm_config_global_prefix", places.global],
    ["npm_config_globalconfig", below(places.global, "etc/npmrc")],
    ["npm_config_init_module", resolveFrom(home, ".npm-init.js")],
    ["npm_config_local_prefix", places.local],
    ["npm_config_noproxy", ""],
    ["npm_config_npm_version", NPM_VERSION],
    ["npm_config_prefix", places.global],
    ["npm_config_user_agent", agent],
    ["npm_config_userconfig", resolveFrom(home, ".npmrc")],
  ]);
  if (!environment.has("EDITOR")) variables.set("EDITOR", "vi");
  const said = config.layers.find(({ source }) => source === "cli")?.settings ?? new Map();
  for (const [name, values] of said)
    if (name !== "prefix" && !name.startsWith("_"))
      variables.set(`npm_config_${name.replaceAll("-", "_")}`, values.join("\n\n"));
  return variables;
}

/** name, version, config, engines and bin of the package, each below its own name. */
function packageVariables(manifest: JsonObject): Map<string, string> {
  const variables = new Map<string, string>();
  for (const key of ["name", "version", "config", "engines"])
    addVariable(variables, `npm_package_${key}`, property(manifest, key));
  for (const [command, file] of packageBins(manifest))
    variables.set(`npm_package_bin_${command}`, file);
  return variables;
}

function addVariable(variables: Map<string, string>, name: string, value: Json | undefined): void {
  if (value === undefined || variables.size >= VARIABLE_LIMIT || /[=\0]/.test(name)) return;
  if (value === null || value === false) variables.set(name, "");
  else if (isList(value))
    value.forEach((one, place) => addVariable(variables, `${name}_${place}`, one));
  else if (isObject(value))
    for (const [key, one] of Object.entries(value)) addVariable(variables, `${name}_${key}`, one);
  else if (!String(value).includes("\0")) variables.set(name, String(value));
}
