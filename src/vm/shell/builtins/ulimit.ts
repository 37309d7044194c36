import { type Limit, limitRows, readLimits } from "../state/process-limits.ts";
import type { Shell } from "../state/shell.ts";

const usage = "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]";

interface Wish {
  readonly isHard: boolean;
  readonly isSoft: boolean;
  readonly isAll: boolean;
  readonly letters: readonly string[];
  readonly value: string | undefined;
}

// Deviation: of ulimit's limits only open files are the kernel's; the others are kept and shown.
/** Shows limits and sets them, for this shell and what it starts. */
export async function ulimit(shell: Shell, words: readonly string[]): Promise<number> {
  const wish = readWish(words);
  if (typeof wish === "string") {
    await shell.complain(`ulimit: -${wish}: invalid option`);
    await shell.write(2, `ulimit: usage: ${usage}\n`);
    return 2;
  }
  const limits = await readLimits(shell);
  if (wish.isAll || wish.letters.length > 1 || wish.value === undefined) {
    const letters = wish.isAll ? limitRows.map(([letter]) => letter) : wish.letters;
    await shell.write(1, showLimits(limits, letters, wish));
    return 0;
  }
  const [letter = "f"] = wish.letters;
  const problem = setLimit(limits, letter, wish.value, wish);
  const soft = limits.get("n")?.soft;
  if (problem === undefined && letter === "n" && soft !== undefined)
    await shell.sys.setrlimit({ openFds: soft });
  if (problem === undefined) return 0;
  await shell.complain(`ulimit: ${problem}`);
  return 1;
}

/** The letter that is none, where there is one. */
function readWish(words: readonly string[]): Wish | string {
  const letters: string[] = [];
  const seen = new Set<string>();
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (!/^-./.test(word)) break;
    for (const letter of word.slice(1)) {
      if ("HSa".includes(letter)) seen.add(letter);
      else if (limitRows.some((row) => row[0] === letter)) letters.push(letter);
      else return letter;
    }
  }
  return {
    isHard: seen.has("H"),
    isSoft: seen.has("S"),
    isAll: seen.has("a"),
    letters: letters.length === 0 ? ["f"] : letters,
    value: words[at],
  };
}

function showLimits(
  limits: ReadonlyMap<string, Limit>,
  letters: readonly string[],
  { isHard, isSoft, isAll }: Wish,
): string {
  const isLabelled = isAll || letters.length > 1;
  const lines = limitRows
    .filter(([letter]) => letters.includes(letter))
    .map(([letter, label, unit]) => {
      const limit = limits.get(letter);
      const value = isHard && !isSoft ? limit?.hard : limit?.soft;
      const shown = value === undefined ? "unlimited" : String(BigInt(value));
      if (!isLabelled) return { letter, line: `${shown}\n` };
      const place = unit === "" ? `(-${letter})` : `(${unit}, -${letter})`;
      return { letter, line: `${label.padEnd(20)} ${place.padStart(Math.max(0, 20))} ${shown}\n` };
    });
  if (isAll) return lines.map(({ line }) => line).join("");
  return letters.map((letter) => lines.find((one) => one.letter === letter)?.line ?? "").join("");
}

/** Answers what is wrong. */
function setLimit(
  limits: Map<string, Limit>,
  letter: string,
  text: string,
  { isHard, isSoft }: Wish,
): string | undefined {
  const label = limitRows.find((row) => row[0] === letter)?.[1] ?? "";
  const limit = limits.get(letter) ?? { soft: undefined, hard: undefined };
  const value = readValue(text, limit, limitRows.find((row) => row[0] === letter)?.[2] ?? "");
  if (typeof value === "string") return value;
  if (letter === "p") return `${label}: cannot modify limit: Invalid argument`;
  const setsBoth = isHard === isSoft;
  const wanted = value.number ?? Number.POSITIVE_INFINITY;
  const most = limit.hard ?? Number.POSITIVE_INFINITY;
  if (wanted > most) return `${label}: cannot modify limit: Operation not permitted`;
  if (
    isHard &&
    !isSoft &&
    wanted < (limit.soft ?? Number.POSITIVE_INFINITY) &&
    limit.soft !== undefined
  )
    return `${label}: cannot modify limit: Invalid argument`;
  limits.set(letter, {
    soft: setsBoth || isSoft ? value.number : limit.soft,
    hard: setsBoth || isHard ? value.number : limit.hard,
  });
  return undefined;
}

/** Bytes of a unit: a limit in bytes has 64 bits. */
const unitBytes: Record<string, bigint> = { blocks: 1024n, kbytes: 1024n };

function readValue(
  text: string,
  limit: Limit,
  unit: string,
): { readonly number: number | undefined } | string {
  if (text === "hard") return { number: limit.hard };
  if (text === "soft") return { number: limit.soft };
  if (text === "unlimited") return { number: undefined };
  if (!/^\d+$/.test(text)) return `${text}: invalid number`;
  if (BigInt(text) * (unitBytes[unit] ?? 1n) > 18446744073709551615n)
    return `${text}: limit out of range`;
  return { number: Number(text) };
}
