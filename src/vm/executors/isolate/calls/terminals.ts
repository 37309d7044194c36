// Terminals: their size, and raw mode, which ends with the process.
import { isKernelError, KernelError, type Termios } from "../../../../kernel/index.ts";
import { flag, int } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";

type Sys = Guest["sys"];

/** Where the settings are kept that a terminal had before raw mode. */
const ORIGINAL = "terminals: original";

interface Original {
  readonly fd: number;
  readonly termios: Termios;
}

export const terminalCalls: Calls = {
  isTerminal: ({ sys }, args) => isTerminal(sys, int(args, 0)),
  async windowSize({ sys }, args) {
    const size = await sys.ioctl(int(args, 0), { request: "TIOCGWINSZ" });
    if (typeof size !== "object" || size === null || !("rows" in size))
      throw new KernelError("ENOTTY");
    return { columns: size.cols, rows: size.rows };
  },
  async setRawMode(guest, args) {
    const fd = int(args, 0);
    const { sys, state } = guest;
    if (!flag(args, 1)) {
      await restoreTerminal(guest);
      return undefined;
    }
    const termios = await settingsOf(sys, fd);
    if (!state.has(ORIGINAL)) state.set(ORIGINAL, { fd, termios } satisfies Original);
    await sys.ioctl(fd, { request: "TCSETS", termios: rawOf(termios), drain: true });
    return undefined;
  },
};

export async function isTerminal(sys: Sys, fd: number): Promise<boolean> {
  try {
    await sys.ioctl(fd, { request: "TIOCGWINSZ" });
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

/** As uv_tty_reset_mode: gives the terminal back as it was found. */
export async function restoreTerminal({ sys, state }: Guest): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only setRawMode puts it there
  const original = state.get(ORIGINAL) as Original | undefined;
  if (original === undefined) return;
  state.delete(ORIGINAL);
  try {
    await sys.ioctl(original.fd, { request: "TCSETS", termios: original.termios });
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

async function settingsOf(sys: Sys, fd: number): Promise<Termios> {
  const termios = await sys.ioctl(fd, { request: "TCGETS" });
  if (typeof termios !== "object" || termios === null || !("lflag" in termios))
    throw new KernelError("ENOTTY");
  return termios;
}

/** As uv_tty_set_mode makes a terminal raw. */
function rawOf(termios: Termios): Termios {
  const { iflag, oflag, lflag, cc } = termios;
  return {
    ...termios,
    iflag: { ...iflag, ICRNL: false, ISTRIP: false, IXON: false },
    oflag: { ...oflag, ONLCR: true },
    lflag: { ...lflag, ECHO: false, ICANON: false, IEXTEN: false, ISIG: false },
    cc: { ...cc, VMIN: 1, VTIME: 0 },
  };
}
