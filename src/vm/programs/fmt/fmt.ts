import { isKernelError } from "../../../kernel/index.ts";
import { LineCursor } from "../line-cursor.ts";
import { rangedNumber } from "../number-argument.ts";
import { UsageError } from "../options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "../program.ts";
import { type FmtSettings, Formatting } from "./formatting.ts";

export const main = defineProgram(
  {
    name: "fmt",
    usage: ["[-WIDTH] [OPTION]... [FILE]..."],
    summary: "Reformat each paragraph in the FILE(s), writing to standard output.",
    options: [
      { short: "c", long: "crown-margin", help: "keep the indent of the first two lines" },
      {
        short: "p",
        long: "prefix",
        value: "STRING",
        help: "reformat only lines that begin with STRING",
      },
      { short: "s", long: "split-only", help: "split long lines, but do not refill" },
      {
        short: "t",
        long: "tagged-paragraph",
        help: "the first line's indent differs from the second's",
      },
      { short: "u", long: "uniform-spacing", help: "one space between words, two after sentences" },
      { short: "w", long: "width", value: "WIDTH", help: "maximum line width (default 75)" },
      { short: "g", long: "goal", value: "WIDTH", help: "goal width (default 93% of width)" },
      ...Array.from("0123456789", (digit) => ({
        short: digit,
        value: "NUM",
        isOptional: true,
        help: "same as -w",
      })),
    ],
  },
  async (run) => {
    const formatting = new Formatting(run.out, readSettings(run));
    for (const operand of run.operands.length === 0 ? ["-"] : run.operands) {
      try {
        await run.withInput(operand, async (fd) => {
          const lines = new LineCursor(run.sys, fd);
          while (lines.tryAdvance() || (await lines.advance())) {
            formatting.add(lines.line, lines.hasDelimiter);
            if (run.out.isFull) await run.out.flush();
          }
        });
      } catch (error) {
        if (!isKernelError(error)) throw error;
        if (error.errno === "EISDIR") await run.fail("read error");
        else await run.fail(`cannot open ${quoteName(operand)} for reading: ${errorWords(error)}`);
      }
      formatting.endFile();
    }
  },
);

function readSettings(run: Run): FmtSettings {
  const { options } = run;
  const [first = ""] = options.sequence[0] ?? [];
  const digit = options.order.find((name) => /^\d$/.test(name));
  if (digit !== undefined && digit !== first) {
    throw new UsageError(
      `invalid option -- ${digit}; -WIDTH is recognized only when it is the first\noption; use -w N instead`,
    );
  }
  const legacy = digit === undefined ? undefined : `${digit}${options.get(digit) ?? ""}`;
  const widthText = options.get("width") ?? legacy;
  const range = { most: 2500n };
  const asked =
    widthText === undefined ? undefined : Number(rangedNumber("invalid width", widthText, range));
  const goalText = options.get("goal");
  const most = BigInt(asked ?? 75);
  const goal =
    goalText === undefined ? undefined : Number(rangedNumber("invalid width", goalText, { most }));
  const width = asked ?? (goal === undefined ? 75 : goal + 10);
  return {
    width,
    goal: goal ?? Math.floor((width * 187) / 200),
    isCrown: run.has("crown-margin"),
    isTagged: run.has("tagged-paragraph"),
    isSplit: run.has("split-only"),
    isUniform: run.has("uniform-spacing"),
    prefix: options.get("prefix") ?? "",
  };
}
