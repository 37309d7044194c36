/** `npm run` without a script: what could be run. */
import type { JsonObject } from "./json.ts";
import { packageId, packageName, packageScripts } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";

/** Scripts that npm runs by itself, or that are commands of their own. */
const lifecycle = new Set(
  `prepare prepublishOnly prepack postpack dependencies preinstall install postinstall prepublish publish
  postpublish prerestart restart postrestart prestart start poststart prestop stop poststop pretest test posttest
  preuninstall uninstall postuninstall preversion version postversion`.split(/\s+/),
);

/** Answers whether anything was printed that a blank line must follow. */
export function listScripts(run: NpmRun, manifest: JsonObject, workspace?: string): boolean {
  const scripts = [...packageScripts(manifest)];
  if (run.config.isSilent) return false;
  if (run.config.is("json")) {
    const object = Object.fromEntries(scripts);
    run.printJson(workspace === undefined ? object : { [workspace]: object });
    return false;
  }
  if (scripts.length === 0) return false;
  if (run.config.is("parseable")) {
    const start = workspace === undefined ? [] : [workspace];
    for (const script of scripts) run.print([...start, ...script].join(":"));
    return false;
  }
  const known = scripts.filter(([name]) => lifecycle.has(name));
  const others = scripts.filter(([name]) => !lifecycle.has(name));
  const id = packageId(manifest) ?? packageName(manifest) ?? "undefined";
  if (known.length > 0) run.print(`Lifecycle scripts included in ${id}:`);
  printScripts(run, known);
  if (others.length > 0)
    run.print(
      known.length > 0 ? "available via `npm run`:" : `Scripts available in ${id} via \`npm run\`:`,
    );
  printScripts(run, others);
  return true;
}

function printScripts(run: NpmRun, scripts: readonly (readonly [string, string])[]): void {
  for (const [name, script] of scripts) run.print(`  ${name}\n    ${script}`);
}
