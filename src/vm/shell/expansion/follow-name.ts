/** `${!name}`: indirection. */
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { splitElement } from "../state/variables.ts";
import type { ParameterPart } from "../syntax/ast.ts";
import { findSubject, isParameterName, subscriptOf } from "./find-parameter.ts";

export interface ParameterTarget {
  readonly name: string;
  readonly index: string | undefined;
}

/** The parameter that the value names; of a nameref the name it refers to, as text. */
export async function followName(
  shell: Shell,
  part: ParameterPart,
  index: string | undefined,
): Promise<ParameterTarget | { readonly text: string | undefined }> {
  const reference = shell.variables.findUnresolved(part.name);
  if (reference?.isReference === true && index === undefined)
    return { text: referredName(shell, part.name) };
  const subject = await findSubject(shell, part.name, index);
  const values = subject.kind === "list" ? subject.values : [subject.text];
  const text = values.join(" ");
  if (values.length === 0 || values[0] === undefined) {
    const held = shell.variables.find(part.name)?.value;
    const isArray = typeof held === "object" && held.isAssigned;
    if (isArray || /^[@*\d]/.test(part.name)) return { text: undefined };
    const shown = part.index === undefined ? part.name : `${part.name}[${part.index.text}]`;
    throw new ShellError(`${shown}: invalid indirect expansion`);
  }
  if (!isParameterName(text)) throw new ShellError(`${text}: invalid variable name`);
  const element = splitElement(text);
  if (element === undefined) return { name: text, index: undefined };
  return { name: element.name, index: await subscriptOf(shell, element.name, element.index) };
}

/** Where the namerefs end, as it would be written. */
function referredName(shell: Shell, name: string): string | undefined {
  const target = shell.variables.follow(name);
  if (target === undefined || target.name === name) return undefined;
  return target.index === undefined ? target.name : `${target.name}[${target.index}]`;
}
