import { UsageError } from "../options.ts";
import type { FindActions } from "./actions.ts";
import type { Test } from "./test.ts";
import type { FindWords } from "./words.ts";

const listFormat = "%9i %6k %M %3n %-8u %-8g %8s %Tb %Te %TH:%TM %p%L\n";

interface ActionContext {
  readonly actions: FindActions;
  readonly words: FindWords;
  readonly options: { isDepthFirst: boolean };
  /** Without an action the whole expression prints. */
  readonly noteAction: () => void;
}

/** What a word does with a file that is found; undefined where it does nothing. */
export async function parseAction(word: string, context: ActionContext): Promise<Test | undefined> {
  const { actions, words, options } = context;
  switch (word) {
    case "-print":
    case "-print0":
    case "-printf":
    case "-ls":
      return parsePrinting(word, undefined, context);
    case "-fprint":
    case "-fprint0":
    case "-fprintf":
    case "-fls":
      return parsePrinting(word.replace("f", ""), words.value(word), context);
    case "-delete":
      context.noteAction();
      options.isDepthFirst = true;
      return (file) => actions.delete(file);
    case "-quit":
      context.noteAction();
      return () => actions.quit();
    case "-prune":
      return (file) => {
        file.isPruned = true;
        return true;
      };
    case "-exec":
    case "-execdir":
    case "-ok":
    case "-okdir":
      return parseCommand(word, context);
    default:
      return undefined;
  }
}

/** To standard output, or to a file. */
async function parsePrinting(
  word: string,
  target: string | undefined,
  { actions, words, noteAction }: ActionContext,
): Promise<Test> {
  noteAction();
  const out = await actions.outputTo(target);
  if (word === "-print" || word === "-print0")
    return (file) => actions.print(file, word === "-print" ? "\n" : "\0", out);
  const format =
    word === "-ls" ? listFormat : words.value(target === undefined ? word : "-fprintf");
  return (file) => actions.printFormat(file, format, out);
}

function parseCommand(word: string, { actions, words, noteAction }: ActionContext): Test {
  noteAction();
  const command: string[] = [];
  for (;;) {
    const next = words.next;
    if (next === undefined)
      throw new UsageError(`missing argument to \`${word}'`, { hasHint: false });
    words.skip();
    if (next === ";") break;
    if (next === "+" && command.at(-1) === "{}")
      return actions.gather(command.slice(0, -1), word === "-execdir");
    if (next === "+" && command.at(-1)?.includes("{}") === true && command.at(-1) !== "{}")
      throw new UsageError(
        `In '${word} ... {} +' the '{}' must appear by itself, but you specified '${command.at(-1)}'`,
        { hasHint: false },
      );
    command.push(next);
  }
  if (command.length === 0)
    throw new UsageError(`invalid argument \`;' to \`${word}'`, { hasHint: false });
  return (file) =>
    actions.execute(file, command, {
      isAsked: word.startsWith("-ok"),
      isInDirectory: word.endsWith("dir"),
    });
}
