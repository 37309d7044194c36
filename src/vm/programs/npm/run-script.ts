/** `npm run`, `npm test`, `npm start`, `npm stop`, `npm restart`. */
import { findStat } from "../run-command.ts";
import { NpmFailure, ScriptEnded } from "./failure.ts";
import type { JsonObject } from "./json.ts";
import { listScripts } from "./list-scripts.ts";
import { getManifest, packageId, packageName, packageScripts } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { below } from "./paths.ts";
import { runShell } from "./run-shell.ts";
import { scriptEnvironment } from "./script-environment.ts";
import { suggest } from "./suggest.ts";
import { chosenWorkspaces, type Workspace } from "./workspaces.ts";

/** `npm run`, and with a word before its own for `npm test` and its like. */
export async function runCommand(run: NpmRun): Promise<void> {
  const words = run.command === "run" ? run.words : [run.command, ...run.words];
  const workspaces = await chosenWorkspaces(run);
  if (workspaces !== undefined) {
    await runInWorkspaces(run, words, workspaces);
    return;
  }
  const folder = run.places.local;
  const { content } = await getManifest(run.sys, folder);
  const [event, ...rest] = words;
  if (event === undefined) listScripts(run, content);
  else await runEvents(run, { event, words: rest, folder, manifest: content });
}

async function runInWorkspaces(
  run: NpmRun,
  words: readonly string[],
  workspaces: readonly Workspace[],
): Promise<void> {
  const [event, ...rest] = words;
  for (const [place, { name, path, manifest }] of workspaces.entries()) {
    const isLast = place === workspaces.length - 1;
    if (event === undefined) {
      if (listScripts(run, manifest, name) && !isLast) run.print("");
      continue;
    }
    try {
      await runEvents(run, { event, words: rest, folder: path, manifest, isWorkspace: true });
    } catch (error) {
      await sayFailed(run, error, { event, path, manifest });
      if (!isLast && run.config.says("error")) await run.sys.write(2, new Uint8Array([10]));
    }
  }
}

async function sayFailed(
  run: NpmRun,
  error: unknown,
  {
    event,
    path,
    manifest,
  }: { readonly event: string; readonly path: string; readonly manifest: JsonObject },
): Promise<void> {
  const where = [`workspace ${packageId(manifest) ?? packageName(manifest)}`, `location ${path}`];
  const head = `Lifecycle script \`${event}\` failed with error:`;
  if (error instanceof ScriptEnded) {
    const script = packageScripts(manifest).get(event) ?? "";
    const facts = [`code ${error.status}`, `path ${path}`, ...where];
    await run.error([head, ...facts, "command failed", `command sh -c ${script}`].join("\n"));
    run.status = error.status;
    return;
  }
  if (!(error instanceof NpmFailure)) throw error;
  await run.error([head, ...where, error.message].join("\n"));
  run.status = error.status;
}

export interface ScriptRun {
  readonly event: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly manifest: JsonObject;
  readonly isWorkspace?: boolean;
}

/** A script with its `pre` and `post`. Fails with a ScriptEnded, or an NpmFailure where there is none. */
async function runEvents(
  run: NpmRun,
  { event, words, folder, manifest, isWorkspace }: ScriptRun,
): Promise<void> {
  const scripts = packageScripts(manifest);
  if (event === "restart" && !scripts.has(event))
    scripts.set(event, "npm stop --if-present && npm start");
  if (event === "env" && !scripts.has(event)) scripts.set(event, "env");
  if (event === "start" && !scripts.has(event)) {
    const server = await findStat(run.sys, below(folder, "server.js"));
    if (server?.kind === "file") scripts.set(event, "node server.js");
  }
  if (!scripts.has(event)) {
    if (run.config.is("if-present")) return;
    const isElsewhere = isWorkspace === true && folder !== run.places.local;
    const where = isElsewhere ? ` --workspace=${packageId(manifest) ?? packageName(manifest)}` : "";
    throw new NpmFailure(
      `Missing script: "${event}"${suggest(event, manifest)}\n\nTo see a list of scripts, run:\n  npm run${where}`,
    );
  }
  const around = run.config.is("ignore-scripts") ? [event] : [`pre${event}`, event, `post${event}`];
  for (const one of around) {
    const script = scripts.get(one);
    if (script === undefined || script === "") continue;
    await runScript(run, {
      event: one,
      script,
      words: one === event ? words : [],
      folder,
      manifest,
    });
  }
}

/** One script with its banner. Fails with a ScriptEnded. */
export async function runScript(
  run: NpmRun,
  { event, script, words, folder, manifest }: ScriptRun & { readonly script: string },
): Promise<void> {
  const id = packageId(manifest);
  const shown = [script.trim().replaceAll("\n", "\n> "), ...words].join(" ");
  if (!run.config.isSilent)
    run.print(`\n> ${id === undefined ? "" : `${id} `}${event}\n> ${shown}\n`);
  const env = scriptEnvironment(run, { folder, manifest, event, script });
  await runShell(run, { script, words, folder, env });
}
