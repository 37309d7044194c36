/** `clear`: an empty screen. */
import { encodeText, type Program } from "../../../kernel/index.ts";
import { writeAll } from "../output.ts";
import { findTerminal } from "./capabilities.ts";
import { clear } from "./tput.ts";

const usage = `Usage: clear [options]

Options:
  -T TERM     use this instead of $TERM
  -V          print curses-version
  -x          do not try to clear scrollback
`;

// clear has neither GNU's long options nor its messages, so it reads its words itself.
export const main: Program = async (sys, argv) => {
  let term = (await sys.environ()).get("TERM");
  let keepsScrollback = false;
  const say = (fd: number, text: string): Promise<void> => writeAll(sys, fd, encodeText(text));
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "-V" || word === "--version") {
      await say(1, "ncurses 6.4.20221231\n");
      return 0;
    }
    if (word === "--help") {
      await say(1, usage);
      return 0;
    }
    if (word === "-x") keepsScrollback = true;
    else if (word.startsWith("-T")) term = word.length > 2 ? word.slice(2) : argv[(at += 1)];
    else {
      const isOption = /^-./.test(word);
      await say(2, `${isOption ? `clear: invalid option -- '${word.charAt(1)}'\n` : ""}${usage}`);
      return 1;
    }
  }
  if (term === undefined || term === "") {
    await say(2, "TERM environment variable not set.\n");
    return 1;
  }
  const terminal = findTerminal(term);
  if (terminal === undefined) {
    await say(2, `'${term}': unknown terminal type.\n`);
    return 1;
  }
  return (await clear({ sys, terminal, keepsScrollback })) === 0 ? 0 : 1;
};
