/** find's tests of times. */
import type { Stat } from "../../../kernel/index.ts";
import { parseDate } from "../parse-date.ts";
import type { TimeZone } from "../time-zone.ts";
import { numberTest, refusal } from "./number-test.ts";
import type { Test } from "./test.ts";

const DAY_MS = 86_400_000;

/** `-mtime 1`, `-amin +5`: how old the time that the second letter names is. */
export function ageTest(word: string, text: string, nowMs: number, isFromDayStart: boolean): Test {
  const isMinutes = word.endsWith("min");
  const unitMs = isMinutes ? 60_000 : DAY_MS;
  const startMs = isFromDayStart ? Math.floor(nowMs / DAY_MS) * DAY_MS + DAY_MS : nowMs;
  return numberTest(word, text, ({ stat }) => {
    const age = (startMs - timeOf(stat, word.charAt(1))) / unitMs;
    return isMinutes ? Math.ceil(age) : Math.floor(age);
  });
}

interface NewerContext {
  readonly value: () => string;
  readonly stat: (path: string) => Promise<Stat>;
  readonly nowMs: number;
  readonly zone: TimeZone;
}

/** `-newer`, `-anewer`, `-newermt DATE`; undefined where the word is none of them. */
export async function newerTest(
  word: string,
  { value, stat, nowMs, zone }: NewerContext,
): Promise<Test | undefined> {
  const letters = /^-(?:newer(?:([acmB])([acmBt]))?|([ac])newer)$/.exec(word);
  if (letters === null) return undefined;
  const [, own = letters[3] ?? "m", other = "m"] = letters;
  const reference = value();
  if (other !== "t") {
    const thanMs = timeOf(await stat(reference), other);
    return (file) => timeOf(file.stat, own) > thanMs;
  }
  const thanMs = parseDate(reference, nowMs, zone);
  if (thanMs === undefined)
    throw refusal(`I cannot figure out how to interpret '${reference}' as a date or time`);
  return (file) => timeOf(file.stat, own) > thanMs;
}

function timeOf(stat: Stat, letter: string): number {
  if (letter === "a") return stat.atimeMs;
  return letter === "c" || letter === "B" ? stat.ctimeMs : stat.mtimeMs;
}
