/** Which function is which command. */
import { changeVersion } from "./change-version.ts";
import { execute } from "./exec.ts";
import { explain } from "./explain.ts";
import { networkFailure } from "./failure.ts";
import { showHelp } from "./help.ts";
import { initPackage } from "./init.ts";
import { install } from "./install.ts";
import { listPackages } from "./list-packages.ts";
import { manageConfig } from "./manage-config.ts";
import type { NpmRun } from "./npm-run.ts";
import { pack } from "./pack.ts";
import { managePackage } from "./pkg.ts";
import { dedupe, linkPackage, rebuild } from "./rebuild.ts";
import { runCommand } from "./run-script.ts";
import { showPrefix, showRoot } from "./show-places.ts";
import { pruneProject, uninstall } from "./uninstall.ts";

type Handler = (run: NpmRun) => Promise<void>;

/** Commands that are about a registry alone. */
const networkCommands =
  "access adduser audit bugs deprecate diff dist-tag docs login logout org outdated owner ping profile publish repo search star stars stage team token trust undeprecate unpublish unstar view whoami".split(
    " ",
  );

export const commandHandlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...networkCommands.map((name): [string, Handler] => [name, needNetwork]),
  ["ci", install],
  ["config", manageConfig],
  ["dedupe", dedupe],
  ["exec", execute],
  ["explain", explain],
  ["get", manageConfig],
  ["help", showHelp],
  ["init", initPackage],
  ["install", install],
  ["link", linkPackage],
  ["ll", listPackages],
  ["ls", listPackages],
  ["pack", pack],
  ["pkg", managePackage],
  ["prefix", showPrefix],
  ["prune", pruneProject],
  ["rebuild", rebuild],
  ["restart", runCommand],
  ["root", showRoot],
  ["run", runCommand],
  ["set", manageConfig],
  ["start", runCommand],
  ["stop", runCommand],
  ["test", runCommand],
  ["uninstall", uninstall],
  ["version", changeVersion],
  ["install-test", (run) => installAndTest(run, run)],
  ["install-ci-test", (run) => installAndTest(run, run.as("ci", []))],
]);

async function installAndTest(run: NpmRun, installation: NpmRun): Promise<void> {
  await install(installation);
  await installation.out.flush();
  const test = run.as("test", []);
  await runCommand(test);
  await test.out.flush();
  run.status = test.status;
}

async function needNetwork(run: NpmRun): Promise<void> {
  throw networkFailure([["npm", run.command, ...run.words].join(" ")]);
}
