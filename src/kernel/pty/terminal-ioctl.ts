import { KernelError } from "../abi/kernel-error.ts";
import { signals } from "../abi/signals.ts";
import type { IoctlAnswer, IoctlRequest, Termios, WindowSize } from "../abi/terminal.ts";
import {
  giveUpControl,
  requireForeground,
  setForeground,
  type TerminalCaller,
  takeControl,
} from "./job-control.ts";
import type { Terminal } from "./terminal.ts";

/** Which side of the terminal is asked. */
export type TerminalSide = "master" | "slave";

/** Largest window: the fields of struct winsize are 16 bits wide. */
const LAST_SIZE = 0xffff;

/** How many settings without effect are kept: more than Linux's termios has. */
const LAST_OTHER = 64;

/**
 * tty_ioctl(4) on either side; most requests at the master are about the slave. FIONREAD differs.
 * ENOTTY for what the caller's session does not control, EINVAL for values that cannot be.
 */
export async function terminalIoctl(
  terminal: Terminal,
  side: TerminalSide,
  request: IoctlRequest,
  caller: TerminalCaller,
): Promise<IoctlAnswer> {
  switch (request.request) {
    case "TCGETS":
      return terminal.termios;
    case "TCSETS":
      return setTermios(terminal, request, side === "slave" ? caller : undefined);
    case "TIOCGWINSZ":
      return terminal.size;
    case "TIOCSWINSZ":
      terminal.size = checkedSize(request.size);
      return undefined;
    case "TIOCGPGRP":
      if (side === "slave") requireControlled(terminal, caller);
      return terminal.foregroundPgid;
    case "TIOCSPGRP":
      await setForeground(terminal, request.pgid, caller);
      return undefined;
    case "TIOCGSID":
      return sessionOf(terminal, side, caller);
    case "TIOCSCTTY":
      takeControl(terminal, caller);
      return undefined;
    case "TIOCNOTTY":
      giveUpControl(terminal, caller);
      return undefined;
    case "TIOCGPTN":
      if (side === "slave") throw new KernelError("ENOTTY");
      return terminal.number;
    case "FIONREAD":
      return side === "slave" ? terminal.inputBytes : terminal.shownBytes;
  }
}

async function setTermios(
  terminal: Terminal,
  { termios, flush }: { readonly termios: Termios; readonly flush?: boolean },
  caller: TerminalCaller | undefined,
): Promise<undefined> {
  const checked = checkedTermios(termios);
  await requireForeground(terminal, caller, signals.SIGTTOU);
  // TCSADRAIN has nothing to wait for: what was written is at the master already, as on Linux.
  if (flush === true) terminal.discardInput();
  terminal.termios = checked;
  return undefined;
}

function sessionOf(terminal: Terminal, side: TerminalSide, caller: TerminalCaller): number {
  if (side === "slave") requireControlled(terminal, caller);
  if (terminal.session === undefined) throw new KernelError("ENOTTY");
  return terminal.session.sid;
}

function requireControlled(terminal: Terminal, caller: TerminalCaller): void {
  if (caller.session.terminal !== terminal) throw new KernelError("ENOTTY");
}

function checkedSize({ rows, cols }: WindowSize): WindowSize {
  for (const value of [rows, cols]) {
    if (!Number.isInteger(value) || value < 0 || value > LAST_SIZE) throw new KernelError("EINVAL");
  }
  return { rows, cols };
}

/** A copy, so that the guest's object cannot change it later; characters are bytes: EINVAL. */
function checkedTermios({ iflag, oflag, lflag, cc, others = new Map() }: Termios): Termios {
  for (const byte of Object.values(cc)) {
    if (!Number.isInteger(byte) || byte < 0 || byte > 0xff) throw new KernelError("EINVAL");
  }
  if (others.size > LAST_OTHER) throw new KernelError("EINVAL");
  const kept = new Map(
    [...others].map(([name, value]) => [String(name).slice(0, 16), Number(value)]),
  );
  const flags = { iflag: { ...iflag }, oflag: { ...oflag }, lflag: { ...lflag }, cc: { ...cc } };
  return kept.size === 0 ? flags : { ...flags, others: kept };
}
