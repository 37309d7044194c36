/** `npm version`: what is here, or the package's next version. */
import { NpmFailure } from "./failure.ts";
import { isObject, property, withProperties } from "./json.ts";
import {
  findJsonFile,
  findManifest,
  getManifest,
  type JsonFile,
  packageName,
  packageScripts,
  packageVersion,
  writeJsonFile,
} from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { below } from "./paths.ts";
import { usage } from "./pkg.ts";
import { runScript } from "./run-script.ts";
import { findRelease, incrementVersion, parseVersion } from "./semver-version.ts";
import { NODE_VERSION, NPM_VERSION } from "./versions.ts";
import { chosenWorkspaces } from "./workspaces.ts";

// No commit and no tag is made: a VM has no git.
export async function changeVersion(run: NpmRun): Promise<void> {
  if (run.words.length > 1) throw usage("version");
  const [word] = run.words;
  const workspaces = await chosenWorkspaces(run);
  if (word === undefined) {
    await showVersions(run);
    return;
  }
  for (const { name, path } of workspaces ?? [{ name: undefined, path: run.places.local }]) {
    if (name !== undefined) run.print(name);
    const version = await changeOne(run, path, word);
    run.print(`${run.config.get("tag-version-prefix")}${version}`);
  }
}

async function showVersions(run: NpmRun): Promise<void> {
  const manifest = await findManifest(run.sys, run.places.local);
  const [name, version] = [
    packageName(manifest?.content ?? {}),
    packageVersion(manifest?.content ?? {}),
  ];
  const versions = new Map<string, string>();
  if (name !== undefined && version !== undefined) versions.set(name, version);
  versions.set("npm", NPM_VERSION).set("node", NODE_VERSION);
  if (run.config.is("json")) {
    run.printJson(Object.fromEntries(versions));
    return;
  }
  const rows = [...versions].map(([key, value]) => `${isBare(key) ? key : `'${key}'`}: '${value}'`);
  const line = `{ ${rows.join(", ")} }`;
  run.print(line.length <= 72 ? line : `{\n  ${rows.join(",\n  ")}\n}`);
}

/** Whether util.inspect shows a key without quotes. */
function isBare(key: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key);
}

async function changeOne(run: NpmRun, folder: string, word: string): Promise<string> {
  const file = await getManifest(run.sys, folder);
  const current = packageVersion(file.content);
  const next = nextVersion(run, current ?? "", word);
  if (next === current && !run.config.is("allow-same-version"))
    throw new NpmFailure("Version not changed");
  await runHook(run, folder, file, "preversion");
  const changed = { ...file, content: withProperties(file.content, { version: next }) };
  await writeJsonFile(run.sys, changed);
  await changeLock(run, folder, next);
  await runHook(run, folder, changed, "version");
  await runHook(run, folder, changed, "postversion");
  return next;
}

async function runHook(run: NpmRun, folder: string, file: JsonFile, event: string): Promise<void> {
  const script = packageScripts(file.content).get(event);
  if (script === undefined || run.config.is("ignore-scripts")) return;
  await runScript(run, { event, script, words: [], folder, manifest: file.content });
}

function nextVersion(run: NpmRun, current: string, word: string): string {
  const exact = parseVersion(word);
  if (exact !== undefined) return exact.text;
  if (word === "from-git") throw new NpmFailure("Not a git directory");
  const release = findRelease(word);
  const version = parseVersion(current);
  if (release === undefined || version === undefined)
    throw new NpmFailure(`Invalid version: ${word}`);
  return incrementVersion(version, release, run.config.get("preid")).text;
}

/** The lock file says the project's version twice. */
async function changeLock(run: NpmRun, folder: string, version: string): Promise<void> {
  for (const name of ["package-lock.json", "npm-shrinkwrap.json"]) {
    const file = await findJsonFile(run.sys, below(folder, name));
    if (file === undefined) continue;
    const packages = property(file.content, "packages");
    const root = property(packages, "");
    const changes = { version };
    const content =
      isObject(packages) && isObject(root)
        ? withProperties(file.content, {
            version,
            packages: withProperties(packages, { "": withProperties(root, changes) }),
          })
        : withProperties(file.content, changes);
    await writeJsonFile(run.sys, { ...file, content });
  }
}
