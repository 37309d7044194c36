/** What the parser asks of a shell, and what a shell says about what the parser cannot read. */

import { isByteLocale } from "../expansion/characters.ts";
import type { CommandPart, ProcessPart, Script, SyntaxProblem } from "../syntax/ast.ts";
import { parse, type SyntaxOptions } from "../syntax/parse.ts";
import type { Shell } from "./shell.ts";

/** The options as they are whenever the parser asks. */
export function syntaxOf(shell: Shell): SyntaxOptions {
  const { options } = shell;
  return {
    get aliases() {
      const isOn = options.has("expand_aliases") || options.has("posix");
      return isOn ? shell.aliases : undefined;
    },
    get isExtglob() {
      return options.has("extglob");
    },
    get isPosix() {
      return options.has("posix");
    },
    get isBytes() {
      return isByteLocale(shell);
    },
    get hasComments() {
      return !shell.isInteractive || options.has("interactive_comments");
    },
  };
}

/** Says a syntax error; `label` is what its place is named by, behind the shell's name. */
export async function reportProblem(
  shell: Shell,
  problem: SyntaxProblem,
  label: string | undefined,
): Promise<void> {
  const place = placeOf(shell, problem.line, label);
  const { detail, message, lineText } = problem;
  if (detail !== undefined) await shell.write(2, `${place}${detail}\n`);
  if (message !== "") await shell.write(2, `${place}${message}\n`);
  if (lineText !== undefined) await shell.write(2, `${place}\`${lineText}'\n`);
}

function placeOf(shell: Shell, line: number, label: string | undefined): string {
  const source = shell.frames.findLast((frame) => frame.kind === "source");
  const name = `${source?.name ?? shell.name}: ${label === undefined ? "" : `${label}: `}`;
  return shell.isInteractive && source === undefined && label === undefined
    ? name
    : `${name}line ${line}: `;
}

export async function warnOpen(
  shell: Shell,
  open: NonNullable<Script["openHereDocument"]>,
): Promise<void> {
  const { delimiter, line, endLine } = open;
  shell.line = endLine;
  await shell.complain(
    `warning: here-document at line ${line} delimited by end-of-file (wanted \`${delimiter}')`,
  );
}

/** A substitution's commands: read again where there are aliases, as these count when it runs. */
export function scriptOf(shell: Shell, part: CommandPart | ProcessPart): Script {
  const syntax = syntaxOf(shell);
  if ((syntax.aliases?.size ?? 0) === 0) return part.script;
  return parse(part.source.text, part.source.line, syntax);
}
