/** `stty`: shows and changes a terminal's settings. */
import {
  isKernelError,
  O_NONBLOCK,
  O_RDONLY,
  type Termios,
  type WindowSize,
} from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { applyWords, type Settings } from "./apply-settings.ts";
import { showAll, showChanged, showNumbers } from "./show-settings.ts";

/** Lines are this wide where the terminal does not say. */
const WIDTH = 80;

export const main = defineProgram(
  {
    name: "stty",
    usage: [
      "[-F DEVICE | --file=DEVICE] [SETTING]...",
      "[-F DEVICE | --file=DEVICE] [-a|--all]",
      "[-F DEVICE | --file=DEVICE] [-g|--save]",
    ],
    summary: "Print or change terminal characteristics.",
    options: [
      { short: "a", long: "all", help: "print all current settings in human-readable form" },
      { short: "g", long: "save", help: "print all current settings in a stty-readable form" },
      { short: "F", long: "file", value: "DEVICE", help: "open and use DEVICE instead of stdin" },
    ],
    isOperand,
  },
  async (run) => {
    const device = run.options.get("file");
    const styles = Number(run.has("all")) + Number(run.has("save"));
    if (styles > 1) {
      const message =
        "the options for verbose and stty-readable output styles are\nmutually exclusive";
      throw new UsageError(message, { hasHint: false });
    }
    if (styles > 0 && run.operands.length > 0)
      throw new UsageError("when specifying an output style, modes may not be set", {
        hasHint: false,
      });
    if (run.operands.length > 0) checkWords(run.operands);
    const name = device ?? "'standard input'";
    try {
      const fd = device === undefined ? 0 : await run.sys.open(device, O_RDONLY | O_NONBLOCK);
      await perform(run, fd);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(`${name}: ${errorWords(error)}`);
    }
    return run.status;
  },
);

/** `-echo` is a setting; only a few words with dashes are options. */
function isOperand(word: string): boolean {
  if (word.startsWith("--"))
    return (
      !["all", "save", "help", "version"].some((name) => `--${name}` === word) &&
      !word.startsWith("--file")
    );
  return !/^-[agF]/.test(word) || /^-[ag]./.test(word);
}

/** What cannot be understood is refused before the terminal is touched. */
function checkWords(words: readonly string[]): void {
  applyWords({ termios: blank, size: { rows: 0, cols: 0 }, shown: "", isTrial: true }, words);
}

async function perform(run: Run, fd: number): Promise<void> {
  const settings = await readSettings(run, fd);
  const width = Number((await run.sys.environ()).get("COLUMNS")) || settings.size.cols || WIDTH;
  if (run.has("all")) run.out.addText(showAll(settings.termios, settings.size, width));
  else if (run.has("save")) run.out.addText(`${showNumbers(settings.termios)}\n`);
  else if (run.operands.length === 0) run.out.addText(showChanged(settings.termios, width));
  else await change(run, fd, settings);
}

async function readSettings(run: Run, fd: number): Promise<Settings> {
  const termios = await run.sys.ioctl(fd, { request: "TCGETS" });
  const size = await run.sys.ioctl(fd, { request: "TIOCGWINSZ" });
  return {
    termios: typeof termios === "object" && "lflag" in termios ? termios : blank,
    size: typeof size === "object" && "rows" in size ? size : { rows: 0, cols: 0 },
    shown: "",
  };
}

async function change(run: Run, fd: number, settings: Settings): Promise<void> {
  const { termios, size }: { termios: Termios; size: WindowSize } = settings;
  applyWords(settings, run.operands);
  run.out.addText(settings.shown);
  if (settings.termios !== termios)
    await run.sys.ioctl(fd, { request: "TCSETS", termios: settings.termios, drain: true });
  if (settings.size !== size)
    await run.sys.ioctl(fd, { request: "TIOCSWINSZ", size: settings.size });
}

/** Settings of no terminal, to try words on. */
const blank: Termios = {
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
    VINTR: 3,
    VQUIT: 28,
    VERASE: 127,
    VKILL: 21,
    VEOF: 4,
    VEOL: 0,
    VSUSP: 26,
    VWERASE: 23,
    VREPRINT: 18,
    VLNEXT: 22,
    VSTART: 17,
    VSTOP: 19,
    VMIN: 1,
    VTIME: 0,
  },
};
