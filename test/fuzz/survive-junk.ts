import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { prebuiltBinary } from "../../scripts/build-native.mjs";
import { readExpression } from "../native/guest-isolate.ts";

const fixture = join(import.meta.dirname, "../native/fixtures/survive-junk.cjs");

/** Calls every function of the native module with junk, in a process of its own; answers what that has to say at its end. */
export async function surviveJunk(
  firstSeed: number,
  seeds: number,
  { binary = prebuiltBinary, env = {} }: { binary?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const args = ["--no-node-snapshot", "--no-warnings", fixture, binary];
  const cases = readExpression("junk-cases.cjs");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, cases, String(firstSeed), String(seeds)],
    { env: { ...process.env, ...env }, maxBuffer: 1 << 24 },
  );
  return stdout;
}
