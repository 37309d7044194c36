import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The package in the folder given as first argument, see install-peers.ts. */
export async function importInstalled(): Promise<unknown> {
  return import(pathToFileURL(join(process.argv[2] ?? ".", "entry.mjs")).href);
}
