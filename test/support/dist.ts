// The build, for tests that start the server or a cell, or load the library as it ships.
//
// Importing this file brings dist up to date before anything else of the test runs: the first test
// file of a run that needs dist builds it, the others wait for that build or find it made. A test
// that runs on the sources alone does not import it, and does not wait.
// test/package/dist-in-tests.test.ts refuses every other way to dist.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureDist } from "../../scripts/ensure-dist.mjs";
import { projectRoot } from "../../scripts/find-command.mjs";

await ensureDist();

/** The URL of a file of dist, to import it. */
export function distUrl(file: string): string {
  return pathToFileURL(join(projectRoot, "dist", file)).href;
}
