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
    const head = flags.on.has("p") ? `umask ${flags.on.has("S") ? "-S " : ""}` : "";
    await shell.write(1, `${head}${shown}\n`);
    return 0;
  }
  const next = /^\d/.test(mode) ? readOctal(mode) : changeMask(current, mode);
  if (typeof next === "string") {
    await shell.complain(`umask: ${next}`);
    return 1;
  }
  await shell.sys.umask(next);
  if (flags.on.has("S")) await shell.write(1, `${symbolic(next)}\n`);
  return 0;
}

/** A mask, or what is wrong with the text. */
function readOctal(text: string): number | string {
  const isOctal = /^[0-7]+$/.test(text);
  const value = isOctal ? Number.parseInt(text, 8) : 0;
  return isOctal && value <= 0o7777 ? value & 0o777 : `${text}: octal number out of range`;
}

const whoBits: Record<string, number> = { u: 0o700, g: 0o070, o: 0o007, a: 0o777 };
const permissionBits: Record<string, number> = { r: 0o444, w: 0o222, x: 0o111 };

/** A symbolic mode says what is allowed; the mask is what is not. */
function changeMask(current: number, mode: string): number | string {
  let allowed = ~current & 0o777;
  const clauses = mode.split(",");
  for (const [at, clause] of clauses.entries()) {
    const match = /^([ugoa]*)([^])?(.*)$/su.exec(clause);
    const who = match?.[1] ?? "";
    // Where the text ends bash shows the NUL behind it.
    const operator = match?.[2] ?? (at < clauses.length - 1 ? "," : "\0");
    if (!"+-=".includes(operator)) return `\`${operator}': invalid symbolic mode operator`;
    const bits = readBits(match?.[3] ?? "");
    if (typeof bits === "string") return bits;
    const mask = who === "" ? 0o777 : [...who].reduce((sum, one) => sum | (whoBits[one] ?? 0), 0);
    if (operator === "+") allowed |= bits & mask;
    else if (operator === "-") allowed &= ~(bits & mask);
    else allowed = (allowed & ~mask) | (bits & mask);
  }
  return ~allowed & 0o777;
}

function readBits(text: string): number | string {
  let bits = 0;
  for (const letter of text) {
    const bit = permissionBits[letter];
    if (bit === undefined) return `\`${letter}': invalid symbolic mode character`;
    bits |= bit;
  }
  return bits;
}

function symbolic(mask: number): string {
  const show = (shift: number): string => {
    const bits = (~mask >> shift) & 7;
    return `${bits & 4 ? "r" : ""}${bits & 2 ? "w" : ""}${bits & 1 ? "x" : ""}`;
  };
  return `u=${show(6)},g=${show(3)},o=${show(0)}`;
}
