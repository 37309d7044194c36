/** `npm config get`, `set`, `delete` and `list`; `npm get` and `npm set`. */
import { configPlaces } from "./config.ts";
import { NpmFailure } from "./failure.ts";
import { findFile, makeDirectories, writeFile } from "./files.ts";
import { changeIni } from "./ini.ts";
import { compareInEnglish } from "./json.ts";
import type { NpmRun } from "./npm-run.ts";
import { parentOf } from "./paths.ts";
import { usage } from "./pkg.ts";
import { defaults, isKnownSetting, lists } from "./setting-names.ts";
import { NODE_VERSION, NPM_VERSION } from "./versions.ts";

export async function manageConfig(run: NpmRun): Promise<void> {
  const isWhole = run.command === "config";
  const [verb, ...words] = isWhole ? run.words : [run.command, ...run.words];
  switch (verb) {
    case "get":
      return words.length === 0 ? listSettings(run) : showSettings(run, words);
    case "set":
      return setSettings(run, words);
    case "delete":
    case "rm":
    case "del":
      return deleteSettings(run, words);
    case "list":
    case "ls":
      return listSettings(run);
    default:
      throw usage("config");
  }
}

async function showSettings(run: NpmRun, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    if (isSecret(key))
      throw new NpmFailure(`The ${key} option is protected, and can not be retrieved in this way`);
    const start = keys.length > 1 ? `${key}=` : "";
    run.print(`${start}${valueOf(run, key)}`);
  }
}

function valueOf(run: NpmRun, key: string): string {
  const values = run.config.findAll(key);
  if (values !== undefined) return values.join(",");
  if (key === "prefix") return run.places.global;
  if (key === "userconfig") return places(run).user;
  if (key === "globalconfig") return places(run).global;
  const known = defaults.get(key);
  if (known !== undefined) return known;
  if (!isKnownSetting(key)) return "undefined";
  return lists.has(key) ? "" : "false";
}

function isSecret(key: string): boolean {
  return key.startsWith("_") || key.includes(":_");
}

function places(run: NpmRun): ReturnType<typeof configPlaces> {
  return configPlaces(run.places.local, run.places.global, run.environment);
}

/** The file that changes go to. */
function target(run: NpmRun): string {
  const { user, global, project } = places(run);
  if (run.isGlobal) return global;
  return run.config.get("location") === "project" ? project : user;
}

async function setSettings(run: NpmRun, words: readonly string[]): Promise<void> {
  const pairs = toPairs(words);
  if (pairs.length === 0) throw usage("config");
  let text = (await findFile(run.sys, target(run))) ?? "";
  for (const [key, value] of pairs) {
    if (!isKnownSetting(key) && !key.includes(":"))
      throw new NpmFailure(`\`${key}\` is not a valid npm option`);
    const isList = lists.has(key);
    text = changeIni(
      text,
      key,
      value === "" ? undefined : isList ? value.split(",") : [value],
      isList,
    );
  }
  await save(run, text);
}

/** `key=value` words, or one key and its value. */
function toPairs(words: readonly string[]): [string, string][] {
  const [first, second] = words;
  if (words.length === 2 && first !== undefined && second !== undefined && !first.includes("="))
    return [[first.trim(), second.trim()]];
  return words.map((word) => {
    const at = word.indexOf("=");
    return at === -1 ? [word.trim(), ""] : [word.slice(0, at).trim(), word.slice(at + 1).trim()];
  });
}

async function deleteSettings(run: NpmRun, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) throw usage("config");
  let text = (await findFile(run.sys, target(run))) ?? "";
  for (const key of keys) text = changeIni(text, key, undefined);
  await save(run, text);
}

async function save(run: NpmRun, text: string): Promise<void> {
  const path = target(run);
  await makeDirectories(run.sys, parentOf(path));
  await writeFile(run.sys, path, text, 0o600);
}

async function listSettings(run: NpmRun): Promise<void> {
  const layers = [...run.config.layers].toReversed().filter(({ settings }) => settings.size > 0);
  if (run.config.is("json")) {
    const all = new Map(defaults);
    for (const [key, values] of layers.flatMap(({ settings }) => [...settings]))
      if (!isSecret(key)) all.set(key, values.join(","));
    run.printJson(Object.fromEntries([...all].toSorted(([a], [b]) => compareInEnglish(a, b))));
    return;
  }
  for (const { source, place, settings } of layers) {
    const from =
      source === "cli" ? "command line options" : source === "env" ? "environment" : place;
    run.print(`; "${source}" config from ${from}\n`);
    for (const [key, values] of [...settings].toSorted(([a], [b]) => compareInEnglish(a, b)))
      run.print(`${key} = ${isSecret(key) ? "(protected)" : showValue(values)}`);
    run.print("");
  }
  run.print(
    [
      "; node bin location = /usr/bin/node",
      `; node version = v${NODE_VERSION}`,
      `; npm local prefix = ${run.places.local}`,
      `; npm version = ${NPM_VERSION}`,
      `; cwd = ${run.places.cwd}`,
      `; HOME = ${run.environment.get("HOME") ?? ""}`,
      "; Run `npm config ls -l` to show all defaults.",
    ].join("\n"),
  );
}

function showValue(values: readonly string[]): string {
  const [only = ""] = values;
  if (values.length > 1) return JSON.stringify(values);
  return /^(?:true|false|null|-?\d+)$/.test(only) ? only : JSON.stringify(only);
}
