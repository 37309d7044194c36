// Fuzzes for as long as it is told to, from seeds that no run had before, and says which seed found something.
//   npm run fuzz -- --minutes 60         all fuzzers of test/fuzz
//   npm run fuzz -- --seed 123           from this seed, to see again what it found
//   npm run fuzz -- --sanitize           the native module alone, built with AddressSanitizer and UBSan
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fuzzOnce, surviveJunk } from "../test/fuzz/fuzz-once.ts";
import { buildSanitized } from "./build-native.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string" },
    sanitize: { type: "boolean", default: false },
  },
});
const endMs = Date.now() + Number(values.minutes) * 60_000;
let seed = Number(values.seed ?? randomInt(2 ** 30));
const folder = mkdtempSync(join(tmpdir(), "agentos-fuzz-"));
try {
  const binary = join(folder, "sanitized.node");
  const sanitized = values.sanitize ? { binary, env: await buildSanitized(binary) } : undefined;
  for (let rounds = 1; rounds === 1 || Date.now() < endMs; rounds++) {
    const problems =
      sanitized === undefined
        ? await fuzzOnce(seed, folder)
        : [await surviveJunk(seed, 4, sanitized)].filter((words) => words !== "survived");
    if (problems.length > 0) {
      process.stdout.write(`Seed ${seed} found:\n${problems.join("\n")}\n`);
      process.exitCode = 1;
      break;
    }
    process.stdout.write(`${rounds} rounds, the last from seed ${seed}: nothing found\n`);
    seed += 1_000_000;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
