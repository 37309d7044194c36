/** `set -x`. */
import { isKernelError } from "../../../kernel/index.ts";
import { hasControl, hasMeaning, quoteIfNeeded, quoteText } from "../expansion/quote-text.ts";
import { expandPrompt } from "../prompt.ts";
import type { Shell } from "../state/shell.ts";
import type { PreparedAssignment } from "./assignments.ts";

/** Says the command behind PS4, whose first character is repeated by how deep the shell reads commands. */
export async function traceCommand(shell: Shell, text: string): Promise<void> {
  const prompt = shell.variables.get("PS4") ?? "";
  const { substitutionStatus, status } = shell;
  shell.options.set("xtrace", false);
  try {
    const expanded = await expandPrompt(shell, prompt);
    const code = expanded.codePointAt(0);
    const first = code === undefined ? "" : String.fromCodePoint(code);
    await write(shell, `${first.repeat(shell.traceDepth)}${expanded}${text}\n`);
  } finally {
    shell.options.set("xtrace", true);
    shell.substitutionStatus = substitutionStatus;
    shell.status = status;
  }
}

/** A word as it is shown: quoted where the shell would take it apart, `$'…'` only where nothing else helps. */
export function traceWord(text: string): string {
  if (text === "'") return "\\'";
  if (text === "" || !hasMeaning(text))
    return hasControl(text) ? quoteIfNeeded(text) : text || "''";
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** `declare` and its kin: arrays are assigned before, what is exported or readonly after. */
export async function traceDeclaration(
  shell: Shell,
  items: readonly (string | PreparedAssignment)[],
): Promise<void> {
  const shown: string[] = [];
  const after: string[] = [];
  for (const item of items) {
    if (typeof item === "string") {
      shown.push(traceWord(item));
    } else if (typeof item.value === "string") {
      const head = `${item.name}${item.index === undefined ? "" : `[${item.index}]`}${item.isAppend ? "+" : ""}=`;
      shown.push(traceWord(`${head}${item.value}`));
      after.push(head + (item.value === "" ? "" : traceWord(item.value)));
    } else {
      const elements = item.value.map(({ index, value }) =>
        index === undefined ? quoteText(value) : `[${index}]=${quoteText(value)}`,
      );
      await traceCommand(shell, `${item.name}${item.isAppend ? "+" : ""}=(${elements.join(" ")})`);
      shown.push(item.name);
    }
  }
  await traceCommand(shell, shown.join(" "));
  if (items[0] !== "export" && items[0] !== "readonly") return;
  for (const line of after) await traceCommand(shell, line);
}

/** To BASH_XTRACEFD where that is a fd, else to fd 2. A closed fd is no reason to fail. */
async function write(shell: Shell, text: string): Promise<void> {
  const given = shell.variables.get("BASH_XTRACEFD") ?? "";
  try {
    await shell.write(/^\d+$/.test(given) ? Number(given) : 2, text);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}
