import { isKernelError } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { type Block, mergeThree, type Range, type Three } from "./merge-three.ts";
import { EdScript } from "./print-ed-three.ts";
import { TextLines } from "./text-lines.ts";
import { readThreeStyle, styleOptions, treatmentOf } from "./three-style.ts";

const CONFLICT = 1;
const TROUBLE = 2;

export const main = defineProgram(
  {
    name: "diff3",
    usage: ["[OPTION]... MYFILE OLDFILE YOURFILE"],
    summary: "Compare three files line by line, merge them (-m), or print a script for ed.",
    options: [
      { short: "m", long: "merge", help: "print the merged file" },
      { short: "A", long: "show-all", help: "take all changes, bracket all conflicts" },
      {
        short: "E",
        long: "show-overlap",
        help: "take YOURFILE's changes, bracket conflicts without OLDFILE's lines",
      },
      { short: "e", long: "ed", help: "take YOURFILE's changes, in conflicts, too" },
      { short: "x", long: "overlap-only", help: "take only what overlaps" },
      { short: "X", help: "same as -x" },
      { short: "3", long: "easy-only", help: "take only what does not overlap" },
      { short: "L", long: "label", value: "LABEL", help: "use LABEL instead of a file's name" },
      { short: "T", long: "initial-tab", help: "put a tab before lines" },
      { short: "a", long: "text", help: "treat all files as text" },
      { short: "i", help: "end the script with w and q" },
      { long: "strip-trailing-cr", help: "ignore white space at line ends" },
    ],
    refusal: TROUBLE,
    hint: (name) => `${name}: Try '${name} --help' for more information.\n`,
  },
  async (run) => {
    const { operands } = run;
    if (operands.length < 3)
      throw new UsageError(`missing operand after '${operands.at(-1) ?? run.name}'`);
    if (operands[3] !== undefined) throw new UsageError(`extra operand '${operands[3]}'`);
    if (run.options.all("label").length > 3)
      throw new UsageError("too many file label options", { hasHint: false });
    const style = checkStyle(run);
    const files: TextLines[] = [];
    for (const operand of operands) {
      const file = await readFile(run, operand);
      if (file === undefined) return TROUBLE;
      files.push(file);
    }
    const [mine, older, yours] = files;
    if (mine === undefined || older === undefined || yours === undefined) return TROUBLE;
    const three: Three = [mine, older, yours];
    const blocks = await mergeThree(run.sys, three, {
      common: run.has("merge") || style !== undefined ? 1 : 2,
      stripsReturns: run.has("strip-trailing-cr"),
    });
    const labels = [0, 1, 2].map((at) => run.options.all("label")[at] ?? operands[at] ?? "");
    if (run.has("merge")) return printMerged(run, three, { blocks, labels });
    if (style !== undefined) {
      const script = new EdScript(run.out, three, labels);
      const hasConflicts = await script.print(blocks, readThreeStyle(run.options));
      if (run.has("i")) run.out.addText("w\nq\n");
      return hasConflicts ? CONFLICT : 0;
    }
    await printBlocks(run, three, blocks);
    return 0;
  },
);

/** The option that chooses a style. Fails with a UsageError where options do not go together. */
function checkStyle(run: Run): string | undefined {
  const { options } = run;
  const given = options.order.filter((name) => styleOptions.some((one) => one === name));
  const brackets = run.has("merge") && given.length === 0 ? true : readThreeStyle(options).brackets;
  const isLabelled = options.has("label") && (given.length === 0 ? !run.has("merge") : !brackets);
  if (given.length > 1 || isLabelled || (run.has("i") && run.has("merge")))
    throw new UsageError("incompatible options");
  return given[0];
}

async function readFile(run: Run, name: string): Promise<TextLines | undefined> {
  let lines: TextLines | undefined;
  try {
    await run.withInput(name, async (fd) => {
      lines = new TextLines(await readAllBytes(run.sys, fd));
    });
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.failOn(error, name, TROUBLE);
  }
  return lines;
}

const heads = { mine: "====1", older: "====2", yours: "====3", all: "====" } as const;

/** Of two files with the same lines only the last shows them. */
const orders = {
  mine: [
    [0, true],
    [1, false],
    [2, true],
  ],
  older: [
    [0, false],
    [2, true],
    [1, true],
  ],
  yours: [
    [0, false],
    [1, true],
    [2, true],
  ],
  all: [
    [0, true],
    [1, true],
    [2, true],
  ],
} as const satisfies Record<Block["kind"], readonly (readonly [0 | 1 | 2, boolean])[]>;

async function printBlocks(run: Run, three: Three, blocks: readonly Block[]): Promise<void> {
  for (const { kind, ranges } of blocks) {
    run.out.addText(`${heads[kind]}\n`);
    for (const [file, isShown] of orders[kind]) {
      const range = ranges[file];
      run.out.addText(`${file + 1}:${showRange(range)}\n`);
      if (isShown) await printIndented(run, three[file], range);
    }
  }
}

async function printIndented(run: Run, lines: TextLines, { start, end }: Range): Promise<void> {
  const indent = run.has("initial-tab") ? "\t" : "  ";
  for (let line = start; line < end; line++) {
    run.out.addText(indent);
    await printLine(run, lines, line);
    if (!lines.hasNewline(line)) run.out.addText("\n\\ No newline at end of file\n");
  }
}

function showRange({ start, end }: Range): string {
  if (start === end) return `${start}a`;
  return end - start === 1 ? `${end}c` : `${start + 1},${end}c`;
}

async function printLine(run: Run, lines: TextLines, line: number): Promise<void> {
  run.out.add(lines.whole(line));
  if (run.out.isFull) await run.out.flush();
}

async function printMerged(
  run: Run,
  three: Three,
  { blocks, labels }: { readonly blocks: readonly Block[]; readonly labels: readonly string[] },
): Promise<number> {
  const [mine, older, yours] = three;
  const style = readThreeStyle(run.options);
  let status = 0;
  let next = 0;
  const print = async (lines: TextLines, { start, end }: Range): Promise<void> => {
    for (let line = start; line < end; line++) await printLine(run, lines, line);
  };
  for (const { kind, ranges } of blocks) {
    await print(mine, { start: next, end: ranges[0].start });
    next = ranges[0].end;
    const treatment = treatmentOf(kind, style);
    if (treatment !== "bracket") {
      const takesYours = treatment === "take";
      await print(takesYours ? yours : mine, takesYours ? ranges[2] : ranges[0]);
      continue;
    }
    status = CONFLICT;
    if (kind === "all") {
      run.out.addText(`<<<<<<< ${labels[0]}\n`);
      await print(mine, ranges[0]);
      if (style.showsOlder) {
        run.out.addText(`||||||| ${labels[1]}\n`);
        await print(older, ranges[1]);
      }
    } else {
      run.out.addText(`<<<<<<< ${labels[1]}\n`);
      await print(older, ranges[1]);
    }
    run.out.addText("=======\n");
    await print(yours, ranges[2]);
    run.out.addText(`>>>>>>> ${labels[2]}\n`);
  }
  await print(mine, { start: next, end: mine.count });
  return status;
}
