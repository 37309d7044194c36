/** Which function is which command. */
import { changeVersion } from "./change-version.ts";
import { networkFailure } from "./failure.ts";
import { showHelp } from "./help.ts";
import { initPackage } from "./init.ts";
import { manageConfig } from "./manage-config.ts";
import type { NpmRun } from "./npm-run.ts";
import { managePackage } from "./pkg.ts";
import { runCommand } from "./run-script.ts";
import { showPrefix, showRoot } from "./show-places.ts";

type Handler = (run: NpmRun) => Promise<void>;

/** Commands that are about a registry alone. */
const networkCommands =
  "access adduser audit bugs deprecate diff dist-tag docs login logout org outdated owner ping profile publish repo search star stars stage team token trust undeprecate unpublish unstar view whoami".split(
    " ",
  );

export const commandHandlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...networkCommands.map((name): [string, Handler] => [name, needNetwork]),
  ["config", manageConfig],
  ["get", manageConfig],
  ["help", showHelp],
  ["init", initPackage],
  ["pkg", managePackage],
  ["prefix", showPrefix],
  ["restart", runCommand],
  ["root", showRoot],
  ["run", runCommand],
  ["set", manageConfig],
  ["start", runCommand],
  ["stop", runCommand],
  ["test", runCommand],
  ["version", changeVersion],
]);

async function needNetwork(run: NpmRun): Promise<void> {
  throw networkFailure([["npm", run.command, ...run.words].join(" ")]);
}
