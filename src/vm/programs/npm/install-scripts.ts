/** Scripts that packages and the project would run when installed: only where they are asked for. */
import { NpmFailure, ScriptEnded } from "./failure.ts";
import type { Placement } from "./install-plan.ts";
import type { JsonObject } from "./json.ts";
import { packageId, packageName, packageScripts } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { runScript } from "./run-script.ts";

const packageEvents = ["preinstall", "install", "postinstall"] as const;
const projectEvents = [
  ...packageEvents,
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare",
] as const;

/** Names and scripts shown of those that were not run. */
const SHOWN = 50;

/** Runs them, or says once which were not run. */
export async function finishScripts(
  run: NpmRun,
  placements: Iterable<Placement>,
  project: JsonObject | undefined,
): Promise<void> {
  const isOn = run.config.isOff("ignore-scripts") || run.config.is("dangerously-allow-all-scripts");
  const waiting = [...placements].filter(
    ({ manifest }) => scriptsOf(manifest, packageEvents).length > 0,
  );
  if (isOn) {
    for (const { path, kind, content, manifest } of waiting)
      await runEvents(run, kind === "link" ? content : path, manifest, packageEvents);
    if (project !== undefined) await runEvents(run, run.places.local, project, projectEvents);
    return;
  }
  if (run.config.is("ignore-scripts")) return;
  await sayNotRun(run, waiting, project === undefined ? [] : scriptsOf(project, projectEvents));
}

function scriptsOf(manifest: JsonObject, events: readonly string[]): (readonly [string, string])[] {
  const scripts = packageScripts(manifest);
  return events.flatMap((event) => {
    const script = scripts.get(event);
    return script === undefined || script === "" ? [] : [[event, script] as const];
  });
}

async function sayNotRun(
  run: NpmRun,
  waiting: readonly Placement[],
  own: readonly (readonly [string, string])[],
): Promise<void> {
  const lines: string[] = [];
  if (waiting.length > 0) {
    const what = waiting.length === 1 ? "1 package has" : `${waiting.length} packages have`;
    lines.push(`${what} install scripts, which were not run:`);
    for (const { manifest } of waiting.slice(0, SHOWN)) {
      const scripts = scriptsOf(manifest, packageEvents).map((pair) => pair.join(": "));
      lines.push(`  ${packageId(manifest) ?? packageName(manifest)} (${scripts.join("; ")})`);
    }
  }
  if (own.length > 0)
    lines.push(`The project's own scripts were not run: ${own.map(([event]) => event).join(", ")}`);
  if (lines.length === 0) return;
  lines.push("", "Run `npm install --ignore-scripts=false` to run them.");
  await run.warn(lines.join("\n"), "install-scripts");
}

async function runEvents(
  run: NpmRun,
  folder: string,
  manifest: JsonObject,
  events: readonly string[],
): Promise<void> {
  for (const [event, script] of scriptsOf(manifest, events)) {
    try {
      await runScript(run, { event, script, words: [], folder, manifest });
    } catch (error) {
      if (!(error instanceof ScriptEnded)) throw error;
      throw new NpmFailure(`command failed\ncommand sh -c ${script}`, {
        code: String(error.status),
        status: error.status,
        facts: [`path ${folder}`],
      });
    }
  }
}
