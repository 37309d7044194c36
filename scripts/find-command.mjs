// Finds the file behind a development tool's command in node_modules, so that it can be run on a
// Node of our choice. Not through `.bin`: on Windows that holds shell scripts.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout this file belongs to. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Packages whose command has another name than they have.
 *
 * @type {Readonly<Record<string, string>>}
 */
const packageOf = {
  biome: "@biomejs/biome",
  depcruise: "dependency-cruiser",
  tsc: "typescript",
};

/**
 * The script that `command` starts, or undefined where it is not installed.
 *
 * @param {string} command
 * @returns {string | undefined}
 */
export function findCommand(command) {
  const manifest = join(projectRoot, "node_modules", packageOf[command] ?? command, "package.json");
  if (!existsSync(manifest)) return undefined;
  const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
  const file = typeof bin === "string" ? bin : bin?.[command];
  return file === undefined ? undefined : join(dirname(manifest), file);
}
