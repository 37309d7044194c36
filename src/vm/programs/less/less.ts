import { isKernelError, O_CLOEXEC, O_RDONLY, signals } from "../../../kernel/index.ts";
import { findWindowSize } from "../is-terminal.ts";
import { Keyboard } from "../keyboard.ts";
import { UsageError } from "../options.ts";
import { writeAll } from "../output.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { LineStore } from "./line-store.ts";
import { Pager } from "./pager.ts";

/** The other screen of the terminal: what was there comes back at the end. */
const ENTER = "\u001B[?1049h";
const LEAVE = "\u001B[?1049l";

export const main = defineProgram(
  {
    name: "less",
    usage: ["[options] [file]..."],
    summary: "Show text one screen at a time. Without a terminal, it copies its input.",
    options: [
      { short: "e", long: "quit-at-eof", help: "(ignored)" },
      { short: "E", long: "QUIT-AT-EOF", help: "(ignored)" },
      { short: "f", long: "force", help: "(ignored)" },
      {
        short: "F",
        long: "quit-if-one-screen",
        help: "quit if the entire file fits on first screen",
      },
      {
        short: "i",
        long: "ignore-case",
        help: "ignore case in searches that do not contain uppercase",
      },
      { short: "I", long: "IGNORE-CASE", help: "ignore case in all searches" },
      { short: "K", long: "quit-on-intr", help: "exit in response to ctrl-C" },
      { short: "M", long: "LONG-PROMPT", help: "(ignored)" },
      { short: "n", long: "line-numbers", help: "suppress line numbers" },
      { short: "N", long: "LINE-NUMBERS", help: "use line numbers" },
      {
        short: "p",
        long: "pattern",
        value: "pattern",
        help: "start at pattern (from command line)",
      },
      { short: "q", long: "quiet", help: "(ignored)" },
      { short: "r", long: "raw-control-chars", help: "output colours" },
      { short: "R", long: "RAW-CONTROL-CHARS", help: "output colours" },
      { short: "s", long: "squeeze-blank-lines", help: "(ignored)" },
      {
        short: "S",
        long: "chop-long-lines",
        help: "chop (truncate) long lines rather than wrapping",
      },
      { short: "X", long: "no-init", help: "don't use the terminal's other screen" },
    ],
    isOperand: (word) => word.startsWith("+"),
  },
  async (run) => {
    const files = run.operands.filter((word) => !word.startsWith("+"));
    const inputs = files.length === 0 ? ["-"] : files;
    if (files.length === 0 && (await findWindowSize(run.sys, 0)) !== undefined)
      throw new UsageError('Missing filename ("less --help" for help)', { hasHint: false });
    const window = await findWindowSize(run.sys, 1);
    const keyboard = window === undefined ? undefined : await Keyboard.open(run.sys);
    if (keyboard === undefined) return copyAll(run, inputs);
    return page(run, keyboard, inputs);
  },
);

async function copyAll(run: Run, inputs: readonly string[]): Promise<number> {
  const isMore = run.baseName === "more";
  for (const input of inputs) {
    try {
      await run.withInput(input, async (fd) => {
        const isHeaded = isMore && input !== "-";
        if (isHeaded && (await run.sys.fstat(fd)).kind === "directory") {
          await show(run, `\n*** ${input}: directory ***\n\n`);
          return;
        }
        if (isHeaded) await show(run, `::::::::::::::\n${input}\n::::::::::::::\n`);
        const buffer = new Uint8Array(65_536);
        for (
          let count = await run.sys.read(fd, buffer);
          count > 0;
          count = await run.sys.read(fd, buffer)
        )
          await writeAll(run.sys, 1, buffer.subarray(0, count));
      });
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (isMore) await run.warn(`cannot open ${input}: ${errorWords(error)}`);
      else await show(run, `${describe(input, error)}\n`);
    }
  }
  return run.status;
}

/** As less says it: without its own name. */
function describe(input: string, error: Parameters<typeof errorWords>[0]): string {
  return error.errno === "EISDIR" ? `${input} is a directory` : `${input}: ${errorWords(error)}`;
}

async function page(run: Run, keyboard: Keyboard, inputs: readonly string[]): Promise<number> {
  const { sys } = run;
  const first = run.options.get("pattern");
  const plus = run.operands.find((word) => word.startsWith("+"))?.slice(1) ?? "";
  await sys.sigaction(signals.SIGINT, run.has("quit-on-intr") ? "default" : "catch");
  await sys.sigaction(signals.SIGWINCH, "catch");
  const hasOtherScreen = !run.has("no-init") && !run.has("quit-if-one-screen");
  if (hasOtherScreen) await show(run, ENTER);
  try {
    for (let at = 0; at >= 0 && at < inputs.length; ) {
      const input = inputs[at] ?? "-";
      const fd = input === "-" ? 0 : await open(run, input);
      if (fd === undefined) {
        at += 1;
        continue;
      }
      const store = new LineStore(sys, fd);
      if (await fitsScreen(run, store)) {
        at += 1;
        continue;
      }
      const pager = new Pager(run, keyboard, store, {
        name: input === "-" ? "" : input,
        first: first === undefined ? plus : `/${first}`,
      });
      const ending = await pager.run();
      if (fd !== 0) await sys.close(fd);
      if (ending === "quit") break;
      at = Math.min(inputs.length - 1, Math.max(0, at + (ending === "next" ? 1 : -1)));
    }
  } finally {
    await show(run, hasOtherScreen ? LEAVE : "\r\u001B[K");
    await keyboard.close();
  }
  return run.status;
}

/** `-F`: a short file is only shown. */
async function fitsScreen(run: Run, store: LineStore): Promise<boolean> {
  const rows = (await findWindowSize(run.sys, 1))?.rows ?? 24;
  if (!run.has("quit-if-one-screen") || (await store.line(rows - 1)) !== undefined) return false;
  for (let at = 0; at < store.count; at++) await show(run, `${await store.line(at)}\r\n`);
  return true;
}

async function open(run: Run, input: string): Promise<number | undefined> {
  try {
    const fd = await run.sys.open(input, O_RDONLY | O_CLOEXEC);
    if ((await run.sys.fstat(fd)).kind !== "directory") return fd;
    await run.sys.close(fd);
    await run.fail(`${input} is a directory`);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.fail(describe(input, error));
  }
  return undefined;
}

async function show(run: Run, text: string): Promise<void> {
  run.out.addText(text);
  await run.out.flush();
}
