import type { Redirect } from "./ast.ts";

/** A redirection as bash writes it; a here-document's body comes after the line. */
export function printRedirect(redirect: Redirect): string {
  if (redirect.kind === "here") {
    const fd = showFd(redirect.fd, 0);
    if (redirect.isString) return `${fd}<<< ${redirect.body.text}`;
    const { delimiter = "", stripsTabs = false } = redirect.document ?? {};
    return `${fd}${stripsTabs ? "<<-" : "<<"}${delimiter}`;
  }
  const { operator, fd, target } = redirect;
  const { text } = target;
  switch (operator) {
    case "<&":
    case ">&":
      return printDuplication(operator, fd, text);
    case "&>":
    case "&>>":
      return `${operator} ${text}`;
    case "<":
    case "<>":
      return `${showFd(fd, 0)}${operator} ${text}`;
    default:
      return `${showFd(fd, 1)}${operator} ${text}`;
  }
}

/** Closing is always written with `>`, and a number is always there. */
function printDuplication(
  operator: "<&" | ">&",
  fd: number | string | undefined,
  text: string,
): string {
  if (operator === ">&" && fd === undefined && !/^(?:\d+-?|-|\$.*|".*)$/.test(text))
    return `&> ${text}`;
  const shown = showFd(fd ?? (operator === "<&" ? 0 : 1), -1);
  return text === "-" ? `${shown}>&-` : `${shown}${operator}${text}`;
}

function showFd(fd: number | string | undefined, own: number): string {
  if (fd === undefined || fd === own) return "";
  return typeof fd === "number" ? String(fd) : `{${fd}}`;
}
