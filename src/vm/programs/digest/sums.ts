/** md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum and b2sum. */
import type { Program } from "../../../kernel/index.ts";
import { type OptionRow, UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { type Algorithm, algorithmOf } from "./algorithms.ts";
import { Checker } from "./check.ts";
import { feedFile, hexText } from "./digest-file.ts";
import { readLength } from "./length.ts";

/** What only goes with `--check`. */
export const checkOptions: readonly OptionRow[] = [
  { long: "ignore-missing", help: "say nothing of files that are missing" },
  { long: "quiet", help: "say nothing of files that are as they should be" },
  { long: "status", help: "say nothing at all: the exit status tells" },
  { long: "strict", help: "fail where a line is improperly formatted" },
  { short: "w", long: "warn", help: "name lines that are improperly formatted" },
];

const programs = new Map(
  ["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum"].map((name) => [
    name,
    makeProgram(name),
  ]),
);

/** Told apart by its name. */
export const main: Program = (sys, argv) => {
  const name = (argv[0] ?? "").replace(/^.*\//s, "");
  const program = programs.get(name) ?? programs.get("md5sum");
  return program === undefined ? Promise.resolve(1) : program(sys, argv);
};

function makeProgram(name: string): Program {
  const algorithm = algorithmOf(name);
  return defineProgram(
    {
      name,
      usage: ["[OPTION]... [FILE]..."],
      summary: `Print or check ${algorithm?.tag} (${algorithm?.bits}-bit) checksums.`,
      options: [
        { short: "b", long: "binary", help: "read in binary mode" },
        { short: "c", long: "check", help: "read checksums from the FILEs and check them" },
        ...(algorithm?.hasLength === true
          ? [
              {
                short: "l",
                long: "length",
                value: "BITS",
                help: "digest length in bits, a multiple of 8",
              },
            ]
          : []),
        { long: "tag", help: "write in BSD's style" },
        { short: "t", long: "text", help: "read in text mode (default)" },
        { short: "z", long: "zero", help: "lines end with NUL, and names are not escaped" },
        ...checkOptions,
      ],
    },
    async (run) => {
      if (algorithm !== undefined) await sumOrCheck(run, algorithm);
    },
  );
}

async function sumOrCheck(run: Run, algorithm: Algorithm): Promise<void> {
  const bits = await readLength(run, algorithm);
  const order = run.options.last("tag", "binary", "text");
  if (run.has("tag") && order === "text")
    throw new UsageError("--tag does not support --text mode");
  refuseMixes(run);
  const operands = run.operands.length === 0 ? ["-"] : run.operands;
  if (run.has("check")) {
    const checker = new Checker(run, algorithm, run.has("length") ? bits : undefined);
    for (const operand of operands) await checker.check(operand);
    return;
  }
  const isBinary =
    order === "binary" || (order === "tag" && run.options.last("binary", "text") === "binary");
  for (const operand of operands)
    await writeSum(run, { algorithm, bits, isTagged: run.has("tag"), isBinary }, operand);
}

/** Options that go with `--check` only, or never. */
export function refuseMixes(run: Run): void {
  const isCheck = run.has("check");
  if (isCheck && run.has("tag"))
    throw new UsageError("the --tag option is meaningless when verifying checksums");
  if (isCheck && run.has("zero"))
    throw new UsageError("the --zero option is not supported when verifying checksums");
  if (isCheck && (run.has("binary") || run.has("text"))) {
    throw new UsageError(
      "the --binary and --text options are meaningless when verifying checksums",
    );
  }
  if (isCheck) return;
  const mode = run.options.last("status", "warn", "quiet");
  for (const name of ["ignore-missing", "status", "warn", "quiet", "strict"]) {
    const isMode = name === "status" || name === "warn" || name === "quiet";
    if (isMode ? mode === name : run.has(name))
      throw new UsageError(`the --${name} option is meaningful only when verifying checksums`);
  }
}

export interface SumForm {
  readonly algorithm: Algorithm;
  readonly bits: number;
  readonly isTagged: boolean;
  readonly isBinary: boolean;
}

/** One line for one file. */
export async function writeSum(run: Run, form: SumForm, name: string): Promise<void> {
  const { algorithm, bits, isTagged, isBinary } = form;
  const digest = algorithm.make(bits);
  if ((await feedFile(run, name, digest)) === undefined) return;
  const isZero = run.has("zero");
  const isEscaped = !isZero && /[\\\n\r]/.test(name);
  const shown = isEscaped
    ? name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : name;
  const length = bits < algorithm.bits ? `-${bits}` : "";
  const hex = hexText(digest.finish());
  const line = isTagged
    ? `${algorithm.tag}${length} (${shown}) = ${hex}`
    : `${hex} ${isBinary ? "*" : " "}${shown}`;
  run.out.addText(`${isEscaped ? "\\" : ""}${line}${isZero ? "\0" : "\n"}`);
  if (run.out.isFull) await run.out.flush();
}
