import { isKernelError, O_CLOEXEC, O_CREAT, O_WRONLY } from "../../kernel/index.ts";
import { parseCount } from "./count-argument.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

/** st_blksize of every file here. */
const IO_BLOCK_BYTES = 4096;

export const main = defineProgram(
  {
    name: "truncate",
    usage: ["OPTION... FILE..."],
    summary: "Shrink or extend the size of each FILE to the specified size.",
    options: [
      { short: "c", long: "no-create", help: "do not create any files" },
      { short: "o", long: "io-blocks", help: "treat SIZE as number of IO blocks instead of bytes" },
      { short: "r", long: "reference", value: "RFILE", help: "base size on RFILE" },
      {
        short: "s",
        long: "size",
        value: "SIZE",
        help: "set or adjust the file size by SIZE bytes;\n+ extend by, - reduce by, < at most, > at least,\n/ round down to multiple of, % round up to multiple of",
      },
    ],
  },
  async (run) => {
    const text = run.options.get("size");
    const reference = run.options.get("reference");
    if (text === undefined && reference === undefined)
      throw new UsageError("you must specify either '--size' or '--reference'");
    const change = text === undefined ? undefined : parseChange(text);
    if (change !== undefined && change.operator === "" && reference !== undefined)
      throw new UsageError("you must specify a relative '--size' with '--reference'");
    if (run.has("io-blocks") && text === undefined)
      throw new UsageError("'--io-blocks' was specified but '--size' was not");
    if (run.operands.length === 0) throw new UsageError("missing file operand");
    const base = reference === undefined ? undefined : await referenceSize(run, reference);
    for (const file of run.operands) await resize(run, file, change, base);
  },
);

/** How a size is found from the one there is. */
interface Change {
  readonly operator: string;
  readonly amount: number;
}

function parseChange(text: string): Change {
  const match = /^\s*([-+](?!\s)|[<>/%]?)\s*(.*)$/s.exec(text);
  const operator = match?.[1] ?? "";
  const amount = parseCount(match?.[2] ?? "");
  if (amount === undefined)
    throw new UsageError(`Invalid number: ${quoteName(text.replace(/^\s*[<>/%]\s*/, ""))}`, {
      hasHint: false,
    });
  if (amount === 0 && (operator === "/" || operator === "%"))
    throw new UsageError("division by zero", { hasHint: false });
  return { operator, amount };
}

async function referenceSize(run: Run, path: string): Promise<number> {
  try {
    return (await run.sys.stat(path)).size;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`cannot stat ${quoteName(path)}: ${errorWords(error)}`, {
      hasHint: false,
    });
  }
}

async function resize(
  run: Run,
  file: string,
  change: Change | undefined,
  base: number | undefined,
): Promise<void> {
  const { sys } = run;
  let fd: number;
  try {
    const creation = run.has("no-create") ? 0 : O_CREAT;
    fd = await sys.open(file, O_WRONLY | creation | O_CLOEXEC);
  } catch (error) {
    if (isKernelError(error, "ENOENT") && run.has("no-create")) return;
    if (!isKernelError(error)) throw error;
    await run.fail(`cannot open ${quoteName(file)} for writing: ${errorWords(error)}`);
    return;
  }
  try {
    const { size } = await sys.fstat(fd);
    const unit = run.has("io-blocks") ? IO_BLOCK_BYTES : 1;
    await sys.ftruncate(fd, newSize(base ?? size, change, unit));
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.fail(`failed to truncate ${quoteName(file)}: ${errorWords(error)}`);
  } finally {
    await sys.close(fd);
  }
}

function newSize(size: number, change: Change | undefined, unit: number): number {
  if (change === undefined) return size;
  const amount = change.amount * unit;
  switch (change.operator) {
    case "+":
      return size + amount;
    case "-":
      return Math.max(0, size - amount);
    case "<":
      return Math.min(size, amount);
    case ">":
      return Math.max(size, amount);
    case "/":
      return size - (size % amount);
    case "%":
      return Math.ceil(size / amount) * amount;
    default:
      return amount;
  }
}
