/** The terminal's settings and requests, the part of termios(3) and tty_ioctl(4) that is kept. */

export interface WindowSize {
  readonly rows: number;
  readonly cols: number;
}

/** Flags by their POSIX names, grouped as in struct termios. Characters are byte values; 0 is off. */
export interface Termios {
  readonly iflag: {
    readonly ICRNL: boolean;
    readonly INLCR: boolean;
    readonly IGNCR: boolean;
    readonly IXON: boolean;
    readonly ISTRIP: boolean;
  };
  readonly oflag: { readonly OPOST: boolean; readonly ONLCR: boolean };
  readonly lflag: {
    readonly ICANON: boolean;
    readonly ECHO: boolean;
    readonly ECHOE: boolean;
    readonly ECHOK: boolean;
    readonly ECHONL: boolean;
    readonly ECHOCTL: boolean;
    readonly ISIG: boolean;
    readonly IEXTEN: boolean;
    readonly NOFLSH: boolean;
    readonly TOSTOP: boolean;
  };
  readonly cc: {
    readonly VINTR: number;
    readonly VQUIT: number;
    readonly VERASE: number;
    readonly VKILL: number;
    readonly VEOF: number;
    readonly VEOL: number;
    readonly VSUSP: number;
    readonly VWERASE: number;
    readonly VREPRINT: number;
    readonly VLNEXT: number;
    readonly VSTART: number;
    readonly VSTOP: number;
    readonly VMIN: number;
    readonly VTIME: number;
  };
  /** Settings that change nothing here, by stty's names: kept for whoever asks. */
  readonly others?: ReadonlyMap<string, number>;
}

/** What ioctl(2) may ask of a terminal. The answer's type follows the request. */
export type IoctlRequest =
  | { readonly request: "TCGETS" }
  | {
      readonly request: "TCSETS";
      readonly termios: Termios;
      readonly flush?: boolean;
      readonly drain?: boolean;
    }
  | { readonly request: "TIOCGWINSZ" }
  | { readonly request: "TIOCSWINSZ"; readonly size: WindowSize }
  | { readonly request: "TIOCGPGRP" }
  | { readonly request: "TIOCSPGRP"; readonly pgid: number }
  | { readonly request: "TIOCGSID" }
  | { readonly request: "TIOCSCTTY" }
  | { readonly request: "TIOCNOTTY" }
  | { readonly request: "TIOCGPTN" }
  | { readonly request: "FIONREAD" };

export type IoctlAnswer = Termios | WindowSize | number | undefined;
