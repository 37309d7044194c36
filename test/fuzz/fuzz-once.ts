// All fuzzers, once: what scripts/fuzz.mjs does again and again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CallFuzzer } from "./call-fuzzer.ts";
import { ReaderFuzzer } from "./reader-fuzzer.ts";
import { surviveJunk } from "./survive-junk.ts";
import { WireFuzzer } from "./wire-fuzzer.ts";

export { surviveJunk };

/** What was found, if anything; `folder` is for sockets. */
export async function fuzzOnce(firstSeed: number, folder: string): Promise<string[]> {
  const wire = new WireFuzzer(readCorpus("wire.json"));
  const readers = new ReaderFuzzer(readCorpus("readers.json"));
  const calls = new CallFuzzer();
  for (let seed = firstSeed; seed < firstSeed + 100; seed++) await wire.run(seed, 300);
  await wire.close();
  for (let seed = firstSeed; seed < firstSeed + 2000; seed++) {
    readers.readFrames(seed);
    readers.readLines(seed);
  }
  for (let seed = firstSeed; seed < firstSeed + 100; seed++) await readers.talk(seed, folder);
  for (let seed = firstSeed; seed < firstSeed + 10; seed++) await calls.run(seed, 300);
  const native = await surviveJunk(firstSeed, 4);
  const problems = [...wire.problems, ...readers.problems, ...calls.problems];
  return native === "survived" ? problems : [...problems, native];
}

/** A file of test/fuzz/corpus: what the fuzzers start from, and what has found something. */
export function readCorpus<T>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, "corpus", name), "utf8"));
}
