import type { Termios } from "../abi/terminal.ts";

/**
 * A new terminal's settings: Linux's tty_std_termios.
 *
 * ECHOKE and IUTF8, which Termios does not name, are always on: killing a line erases it on the
 * screen, and erasing takes a whole UTF-8 character.
 */
export const DEFAULT_TERMIOS: Termios = {
  iflag: { ICRNL: true, INLCR: false, IGNCR: false, IXON: true, ISTRIP: false },
  oflag: { OPOST: true, ONLCR: true },
  lflag: {
    ICANON: true,
    ECHO: true,
    ECHOE: true,
    ECHOK: true,
    ECHONL: false,
    ECHOCTL: true,
    ISIG: true,
    IEXTEN: true,
    NOFLSH: false,
    TOSTOP: false,
  },
  cc: {
    VINTR: 0x03,
    VQUIT: 0x1c,
    VERASE: 0x7f,
    VKILL: 0x15,
    VEOF: 0x04,
    VEOL: 0,
    VSUSP: 0x1a,
    VWERASE: 0x17,
    VREPRINT: 0x12,
    VLNEXT: 0x16,
    VSTART: 0x11,
    VSTOP: 0x13,
    VMIN: 1,
    VTIME: 0,
  },
};

/** The settings with everything that changes bytes switched off, as cfmakeraw(3) does it. */
export function makeRaw(termios: Termios): Termios {
  const { iflag, oflag, lflag, cc } = termios;
  return {
    iflag: { ...iflag, ICRNL: false, INLCR: false, IGNCR: false, IXON: false, ISTRIP: false },
    oflag: { ...oflag, OPOST: false },
    lflag: { ...lflag, ICANON: false, ECHO: false, ECHONL: false, ISIG: false, IEXTEN: false },
    cc: { ...cc, VMIN: 1, VTIME: 0 },
  };
}

/** Whether input passes as it is: no byte means anything and none is echoed. */
export function passesInput({ iflag, lflag }: Termios): boolean {
  const changes = iflag.ISTRIP || iflag.IGNCR || iflag.ICRNL || iflag.INLCR || iflag.IXON;
  return !changes && !lflag.ICANON && !lflag.ISIG && !lflag.ECHO;
}

/** The bytes that mean something under these settings; 0 never does. */
export function specialBytes({ iflag, lflag, cc }: Termios): ReadonlySet<number> {
  const bytes: number[] = [];
  if (iflag.IGNCR || iflag.ICRNL) bytes.push(0x0d);
  if (iflag.INLCR) bytes.push(0x0a);
  if (lflag.ICANON) {
    bytes.push(0x0a, cc.VERASE, cc.VKILL, cc.VEOF, cc.VEOL);
    if (lflag.IEXTEN) bytes.push(cc.VWERASE, cc.VLNEXT);
    if (lflag.IEXTEN && lflag.ECHO) bytes.push(cc.VREPRINT);
  }
  if (iflag.IXON) bytes.push(cc.VSTART, cc.VSTOP);
  if (lflag.ISIG) bytes.push(cc.VINTR, cc.VQUIT, cc.VSUSP);
  const special = new Set(bytes);
  special.delete(0);
  return special;
}
