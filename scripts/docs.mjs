// Writes the documents that are made from the sources: `npm run docs`. A test fails when one is stale.
// Runs on the pinned Node, which reads the sources as they are.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "./find-command.mjs";
import { kernelDocs } from "./kernel-docs.mjs";
import { programDocs } from "./program-docs.mjs";
import { serverDocs } from "./server-docs.mjs";

/** Every such document by its path in the project. */
export const generatedDocs = { ...kernelDocs, ...serverDocs, ...programDocs };

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, render] of Object.entries(generatedDocs)) {
    writeFileSync(join(projectRoot, path), await render());
  }
}
