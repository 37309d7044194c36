/** What `read` does at a terminal: unseen with `-s`, by the key with `-n`, edited with `-e`. */
import { encodeText, isKernelError, O_CLOEXEC, type Termios } from "../../../kernel/index.ts";
import { LineEditor } from "../line-editor/line-editor.ts";
import type { Shell } from "../state/shell.ts";
import type { Flags } from "./builtin.ts";

/** Longer lines are cut: they wait in a pipe. */
const LINE_LIMIT = 60_000;

/** Runs `step` with the terminal set as the flags ask; a fd that is no terminal is left alone. */
export async function atTerminal<T>(
  shell: Shell,
  fd: number,
  { on, values }: Flags,
  step: () => Promise<T>,
): Promise<T> {
  const isByKey = values.has("n") || values.has("N") || values.has("d");
  const saved = on.has("s") || isByKey ? await readMode(shell, fd) : undefined;
  if (saved === undefined) return step();
  const { lflag, cc } = saved;
  const termios: Termios = {
    ...saved,
    lflag: { ...lflag, ECHO: lflag.ECHO && !on.has("s"), ICANON: lflag.ICANON && !isByKey },
    cc: isByKey ? { ...cc, VMIN: 1, VTIME: 0 } : cc,
  };
  await shell.sys.ioctl(fd, { request: "TCSETS", termios });
  try {
    return await step();
  } finally {
    await shell.sys.ioctl(fd, { request: "TCSETS", termios: saved });
  }
}

async function readMode(shell: Shell, fd: number): Promise<Termios | undefined> {
  try {
    const mode = await shell.sys.ioctl(fd, { request: "TCGETS" });
    return typeof mode === "object" && "lflag" in mode ? mode : undefined;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

/** `-e`: edits a line; answers a fd to read it from, which the caller closes. */
export async function editInput(shell: Shell, fd: number, { values }: Flags): Promise<number> {
  const line = await new LineEditor(shell, fd).read(values.get("p") ?? "", values.get("i") ?? "");
  const [readEnd, writeEnd] = await shell.sys.pipe(O_CLOEXEC);
  if (line !== undefined)
    await shell.sys.write(writeEnd, encodeText(`${line.slice(0, LINE_LIMIT)}\n`));
  await shell.sys.close(writeEnd);
  return readEnd;
}
