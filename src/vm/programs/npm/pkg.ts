/** `npm pkg get`, `set` and `delete`. */
import { NpmFailure } from "./failure.ts";
import { commandHelp } from "./help.ts";
import { type Json, parseJson } from "./json.ts";
import { getManifest, writeJsonFile } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { changePath, queryPath } from "./property-path.ts";
import { chosenWorkspaces } from "./workspaces.ts";

export async function managePackage(run: NpmRun): Promise<void> {
  if (run.isGlobal)
    throw new NpmFailure("There's no package.json file to manage on global mode", {
      code: "EPKGGLOBAL",
    });
  const workspaces = await chosenWorkspaces(run);
  for (const one of workspaces ?? [{ path: run.places.local, name: undefined }])
    await manageOne(run, one.path, one.name);
}

async function manageOne(
  run: NpmRun,
  folder: string,
  workspace: string | undefined,
): Promise<void> {
  const [verb, ...words] = run.words;
  switch (verb) {
    case "get":
      return getValues(run, { folder, workspace, keys: words });
    case "set":
      return setValues(run, folder, words);
    case "delete":
      return deleteValues(run, folder, words);
    case "fix": {
      await getManifest(run.sys, folder);
      return;
    }
    default:
      throw usage("pkg");
  }
}

async function getValues(
  run: NpmRun,
  {
    folder,
    workspace,
    keys,
  }: {
    readonly folder: string;
    readonly workspace: string | undefined;
    readonly keys: readonly string[];
  },
): Promise<void> {
  const { content } = await getManifest(run.sys, folder);
  let result: Json | undefined = content;
  if (keys.length > 0) {
    const found = new Map(keys.flatMap((key) => [...queryPath(content, key)]));
    const [first = ""] = keys;
    const isSingle = found.size === 1 && keys.length === 1 && found.has(first);
    result = isSingle ? found.get(first) : Object.fromEntries(found);
  }
  run.printJson(workspace === undefined ? result : { [workspace]: result ?? {} });
}

async function setValues(run: NpmRun, folder: string, words: readonly string[]): Promise<void> {
  const file = await getManifest(run.sys, folder);
  if (words.length === 0) throw usage("pkg", "npm pkg set expects a key=value pair of args.");
  let { content } = file;
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1 || at === word.length - 1)
      throw usage("pkg", "npm pkg set expects a key=value pair of args.");
    const value = readValue(run, word.slice(at + 1));
    content = changePath(content, word.slice(0, at), value, run.config.is("force"));
  }
  await writeJsonFile(run.sys, { ...file, content });
}

function readValue(run: NpmRun, text: string): Json {
  if (!run.config.is("json")) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NpmFailure(error.message);
  }
}

async function deleteValues(run: NpmRun, folder: string, keys: readonly string[]): Promise<void> {
  const file = await getManifest(run.sys, folder);
  if (keys.length === 0 || keys.includes(""))
    throw usage("pkg", "npm pkg delete expects key args.");
  let { content } = file;
  for (const key of keys) content = changePath(content, key, undefined);
  await writeJsonFile(run.sys, { ...file, content });
}

export function usage(command: string, message?: string): NpmFailure {
  const head = message === undefined ? "" : `${message}\n\n`;
  return new NpmFailure(`\n${head}${commandHelp(command)}`, { code: "EUSAGE" });
}
