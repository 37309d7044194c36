// Vitest's global set-up: tests that start the server or a cell run what ships, so dist is brought
// up to date before the first of them.
import { ensureDist } from "../../scripts/ensure-dist.mjs";

export async function setup(): Promise<void> {
  await ensureDist();
}
