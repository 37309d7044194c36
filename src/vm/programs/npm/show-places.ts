/** `npm root` and `npm prefix`. */
import type { NpmRun } from "./npm-run.ts";
import { below } from "./paths.ts";

export async function showRoot(run: NpmRun): Promise<void> {
  run.print(below(run.root, "node_modules"));
}

export async function showPrefix(run: NpmRun): Promise<void> {
  run.print(run.isGlobal ? run.places.global : run.places.local);
}
