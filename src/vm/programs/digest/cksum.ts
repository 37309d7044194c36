import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";
import { type Algorithm, algorithms } from "./algorithms.ts";
import { Checker } from "./check.ts";
import { readLength } from "./length.ts";
import { writeNumberSum } from "./number-sums.ts";
import { checkOptions, refuseMixes, writeSum } from "./sums.ts";

const names = ["bsd", "sysv", "crc", ...algorithms.map(({ name }) => name)];

export const main = defineProgram(
  {
    name: "cksum",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Print or check checksums, a 32-bit CRC by default.",
    options: [
      { short: "a", long: "algorithm", value: "TYPE", help: `one of ${names.join(" ")}` },
      { short: "c", long: "check", help: "read checksums from the FILEs and check them" },
      { short: "l", long: "length", value: "BITS", help: "digest length in bits, a multiple of 8" },
      { long: "tag", help: "write in BSD's style (default)" },
      { long: "untagged", help: "write the digest before the name" },
      { short: "z", long: "zero", help: "lines end with NUL, and names are not escaped" },
      ...checkOptions,
      { long: "debug", help: "say which implementation is used" },
    ],
  },
  async (run) => {
    const kind = readKind(run);
    const algorithm = algorithms.find(({ name }) => name === kind);
    const length = await checkLength(run, algorithm);
    if (run.has("check") && algorithm === undefined && run.has("algorithm")) {
      throw new UsageError("--check is not supported with --algorithm={bsd,sysv,crc}", {
        hasHint: false,
      });
    }
    refuseMixes(run);
    const operands = run.operands.length === 0 ? ["-"] : run.operands;
    if (run.has("check")) {
      const checker = new Checker(run, algorithm, length);
      for (const operand of operands) await checker.check(operand);
      return;
    }
    const isTagged = run.options.last("tag", "untagged") !== "untagged";
    for (const operand of operands) {
      if (algorithm === undefined) await writeNumberSum(run, kind, operand);
      else {
        const form = { algorithm, bits: length ?? algorithm.bits, isTagged, isBinary: false };
        await writeSum(run, form, operand);
      }
    }
  },
);

function readKind(run: Run): string {
  const text = run.options.get("algorithm") ?? "crc";
  if (names.includes(text)) return text;
  const valid = names.map((name) => `  - '${name}'`).join("\n");
  throw new UsageError(
    `invalid argument ${quoteText(text)} for '--algorithm'\nValid arguments are:\n${valid}`,
  );
}

async function checkLength(
  run: Run,
  algorithm: Algorithm | undefined,
): Promise<number | undefined> {
  const text = run.options.get("length");
  if (text === undefined) return undefined;
  const any = algorithm ?? algorithms[0];
  if (any === undefined) return undefined;
  const bits = await readLength(run, any);
  if (any.hasLength || /^0+$/.test(text)) return bits;
  throw new UsageError("--length is only supported with --algorithm=blake2b", { hasHint: false });
}
