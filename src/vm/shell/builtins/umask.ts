import { changeMode } from "../../programs/file-mode.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";

export async function umask(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "pS", "umask [-p] [-S] [mode]");
  if (flags === undefined) return 2;
  const [mode] = flags.operands;
  const current = await shell.sys.umask();
  if (mode === undefined) {
    const octal = current.toString(8).padStart(4, "0");
    const shown = flags.on.has("S") ? symbolic(current) : octal;
    await shell.write(
      1,
      `${flags.on.has("p") ? `umask ${flags.on.has("S") ? "-S " : ""}` : ""}${shown}\n`,
    );
    return 0;
  }
  const next = /^\d/.test(mode) ? readOctal(mode) : changeMask(current, mode);
  if (next === undefined) {
    await shell.complain(
      /^\d/.test(mode)
        ? `umask: ${mode}: octal number out of range`
        : `umask: \`${mode}': invalid symbolic mode operator`,
    );
    return 1;
  }
  await shell.sys.umask(next);
  if (flags.on.has("S")) await shell.write(1, `${symbolic(next)}\n`);
  return 0;
}

function readOctal(text: string): number | undefined {
  return /^[0-7]{1,4}$/.test(text) ? Number.parseInt(text, 8) & 0o777 : undefined;
}

/** A symbolic mode says what is allowed; the mask is what is not. */
function changeMask(current: number, mode: string): number | undefined {
  const allowed = changeMode({ mode: ~current & 0o777, isDirectory: false, umask: 0 }, mode);
  return allowed === undefined ? undefined : ~allowed & 0o777;
}

function symbolic(mask: number): string {
  const show = (shift: number): string => {
    const bits = (~mask >> shift) & 7;
    return `${bits & 4 ? "r" : ""}${bits & 2 ? "w" : ""}${bits & 1 ? "x" : ""}`;
  };
  return `u=${show(6)},g=${show(3)},o=${show(0)}`;
}
