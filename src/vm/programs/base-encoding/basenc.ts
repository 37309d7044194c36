/** basenc, and base64 and base32 that are part of it. */
import { isKernelError, type Program } from "../../../kernel/index.ts";
import { asNumber, readNumber } from "../number-argument.ts";
import { refuseExtraOperand, UsageError } from "../options.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { quoteFile, quoteText } from "../quote-text.ts";
import { decodeInput, encodeInput } from "./coder.ts";
import { type Encoding, encodings } from "./encodings.ts";

const programs = new Map(["basenc", "base64", "base32"].map((name) => [name, makeProgram(name)]));

/** Told apart by its name. */
export const main: Program = (sys, argv) => {
  const name = (argv[0] ?? "").replace(/^.*\//s, "");
  const program = programs.get(name) ?? programs.get("basenc");
  return program === undefined ? Promise.resolve(1) : program(sys, argv);
};

function makeProgram(name: string): Program {
  const fixed = encodings.find((one) => one.name === name);
  const choices = encodings.map(({ name: long, help }) => ({ long, help }));
  return defineProgram(
    {
      name,
      usage: ["[OPTION]... [FILE]"],
      summary: `${name} encode or decode FILE, or standard input, to standard output.`,
      options: [
        ...(fixed === undefined ? choices : []),
        { short: "d", long: "decode", help: "decode data" },
        { short: "i", long: "ignore-garbage", help: "leave out other characters when decoding" },
        {
          short: "w",
          long: "wrap",
          value: "COLS",
          help: "lines of COLS characters (default 76); 0 is one line",
        },
      ],
    },
    (run) => code(run, fixed ?? chosen(run)),
  );
}

function chosen(run: Run): Encoding | undefined {
  const name = run.options.last(...encodings.map((one) => one.name));
  return encodings.find((one) => one.name === name);
}

async function code(run: Run, encoding: Encoding | undefined): Promise<void> {
  const width = readWrap(run);
  if (encoding === undefined) throw new UsageError("missing encoding type");
  refuseExtraOperand(run.operands, 1);
  const [name = "-"] = run.operands;
  const isDecoding = run.has("decode");
  try {
    await run.withInput(name, (fd) =>
      isDecoding
        ? decodeInput(run, fd, encoding, run.has("ignore-garbage"))
        : encodeInput(run, fd, encoding, width),
    );
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${quoteFile(name)}: ${errorWords(error)}`, { hasHint: false });
  }
}

function readWrap(run: Run): number {
  const text = run.options.get("wrap");
  if (text === undefined) return 76;
  const { value, problem } = readNumber(text);
  if (problem === undefined) return asNumber(value);
  if (problem === "overflow") return 0;
  throw new UsageError(`invalid wrap size: ${quoteText(text)}`, { hasHint: false });
}
