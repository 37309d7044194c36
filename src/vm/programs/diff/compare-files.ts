/** One pair of files: read, compared, and what differs printed. */
import type { Stat } from "../../../kernel/index.ts";
import { formatTime } from "../format-time.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import type { Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { DiffOutput } from "./diff-output.ts";
import { findChanges } from "./find-changes.ts";
import { type Comparison, listHunks } from "./hunks.ts";
import { printContext, printUnified } from "./print-context.ts";
import { printFormat } from "./print-format.ts";
import { printEd, printForwardEd, printNormal, printRcs } from "./print-plain.ts";
import { printSideBySide } from "./print-side.ts";
import { quoteHeaderName } from "./quote-names.ts";
import type { Settings, Style } from "./settings.ts";
import { TextLines } from "./text-lines.ts";

/** One side of a pair; a missing one is taken as empty. */
export interface Side {
  readonly name: string;
  readonly fd: number | undefined;
  readonly stat: Stat | undefined;
}

/** GNU looks for a NUL in the first block alone. */
const BINARY_BYTES = 4096;

const printers: Readonly<
  Record<Style, (output: DiffOutput, comparison: Comparison) => Promise<void>>
> = {
  normal: printNormal,
  unified: printUnified,
  context: printContext,
  ed: printEd,
  "forward-ed": printForwardEd,
  rcs: printRcs,
  side: printSideBySide,
  format: printFormat,
};

/** Prints how two files differ, and answers whether they do. Fails with a MemoryLimitError. */
export async function compareFiles(
  run: Run,
  settings: Settings,
  sides: readonly [Side, Side],
  isInDirectory: boolean,
): Promise<boolean> {
  const bytes = [await readSide(run, sides[0]), await readSide(run, sides[1])] as const;
  if (bytes[0].length + bytes[1].length > MEMORY_LIMIT * 1.5) throw new MemoryLimitError();
  const names = [sides[0].name, sides[1].name] as const;
  if (!settings.isText && bytes.some(isBinary)) return reportBinary(run, settings, names, bytes);
  const [a, b] = bytes.map((one) => new TextLines(settings.stripsReturns ? strip(one) : one));
  if (a === undefined || b === undefined) return false;
  const isRobust = settings.style !== "ed" && settings.style !== "forward-ed";
  const changes = await findChanges(run.sys, a, b, {
    ...settings.rules,
    isMinimal: settings.isMinimal,
    horizon: settings.horizon,
    separatesCut: isRobust && ["kept", "tabs"].includes(settings.rules.whiteSpace),
  });
  const comparison = { a, b, changes };
  const isDifferent = listHunks(comparison, settings).length > 0;
  if (settings.isBrief) return report(run, settings, names, isDifferent);
  const isAlwaysShown = settings.style === "side" || settings.style === "format";
  if (isDifferent || (isAlwaysShown && !settings.hidesCommon)) {
    const output = new DiffOutput(run.out, settings);
    const shown = isInDirectory && (isDifferent || isAlwaysShown);
    if (shown)
      run.out.addText(`diff${settings.switches} ${names.map(quoteHeaderName).join(" ")}\n`);
    await printHeaders(run, output, sides);
    await printers[settings.style](output, comparison);
  }
  if (!isRobust && isOther(bytes[0], bytes[1])) await warnCut(run, names, [a, b]);
  if (!isDifferent && settings.reportsIdentical) return report(run, settings, names, false);
  return isDifferent;
}

async function readSide(run: Run, { fd }: Side): Promise<Uint8Array> {
  return fd === undefined ? new Uint8Array(0) : readAllBytes(run.sys, fd);
}

function isOther(a: Uint8Array, b: Uint8Array): boolean {
  return a.length !== b.length || a.some((byte, at) => byte !== b[at]);
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_BYTES).includes(0);
}

function strip(bytes: Uint8Array): Uint8Array {
  const stripped = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10) continue;
    stripped[length++] = bytes[at] ?? 0;
  }
  return stripped.subarray(0, length);
}

type Names = readonly [string, string];

function reportBinary(
  run: Run,
  settings: Settings,
  names: Names,
  [a, b]: readonly [Uint8Array, Uint8Array],
): boolean {
  const isDifferent = isOther(a, b);
  if (!isDifferent || settings.isBrief) return report(run, settings, names, isDifferent);
  const [first, second] = shownNames(settings, names);
  run.out.addText(`Binary files ${first} and ${second} differ\n`);
  return true;
}

function report(run: Run, settings: Settings, names: Names, isDifferent: boolean): boolean {
  const [first, second] = shownNames(settings, names);
  if (isDifferent) run.out.addText(`Files ${first} and ${second} differ\n`);
  else if (settings.reportsIdentical)
    run.out.addText(`Files ${first} and ${second} are identical\n`);
  return isDifferent;
}

function shownNames({ labels }: Settings, names: Names): Names {
  return [labels[0] ?? names[0], labels[1] ?? names[1]];
}

async function printHeaders(
  run: Run,
  output: DiffOutput,
  sides: readonly [Side, Side],
): Promise<void> {
  const { style, labels } = output.settings;
  if (style !== "unified" && style !== "context") return;
  const marks = style === "unified" ? ["---", "+++"] : ["***", "---"];
  const { nowMs } = await run.sys.clock();
  for (const [at, { name, stat, fd }] of sides.entries()) {
    const timeMs = fd === undefined ? 0 : stat?.kind === "file" ? stat.mtimeMs : nowMs;
    const format = style === "unified" ? "%F %T.%N %z" : "%a %b %e %T %Y";
    const label = labels[at] ?? `${quoteHeaderName(name)}\t${formatTime(format, timeMs)}`;
    output.paint(`${marks[at]} ${label}\n`, "header");
  }
}

async function warnCut(run: Run, names: Names, files: readonly TextLines[]): Promise<void> {
  await run.out.flush();
  for (const [at, file] of files.entries())
    if (file.isCut) await run.fail(`${names[at]}: No newline at end of file\n`, 2);
}
