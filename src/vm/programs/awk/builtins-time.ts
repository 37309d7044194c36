/** `systime`, `strftime` and `mktime`. */
import { formatTime } from "../format-time.ts";
import { type BuiltinCompiler, plain } from "./builtin.ts";
import type { Ready } from "./code.ts";
import type { Runtime } from "./runtime.ts";

/** What `strftime()` shows without a format: PROCINFO["strftime"]. */
export const DEFAULT_TIME_FORMAT = "%a %b %e %H:%M:%S %Z %Y";

async function nowSeconds(rt: Runtime): Promise<number> {
  const { nowMs } = await rt.sys.clock();
  return Math.floor(nowMs / 1000);
}

const systime = plain((rt) => ({ waits: true, value: () => nowSeconds(rt) }));

const strftime = plain((rt, [format, time]) => ({
  waits: true,
  value: () => showTime(rt, format, time),
}));

async function showTime(
  rt: Runtime,
  format: Ready | undefined,
  time: Ready | undefined,
): Promise<string> {
  const shown =
    format?.text() ?? rt.text(rt.procinfo.find("strftime")?.value ?? DEFAULT_TIME_FORMAT);
  const seconds = time === undefined ? await nowSeconds(rt) : Math.trunc(time.number());
  return formatTime(shown, seconds * 1000);
}

/** `YYYY MM DD HH MM SS [DST]`; numbers out of their range are carried over. */
const mktime = plain((_rt, [text]) => ({
  waits: true,
  value: () => {
    const numbers = (text?.text() ?? "").trim().split(/\s+/).map(Number);
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers;
    if (numbers.length < 6 || numbers.some((one) => Number.isNaN(one))) return -1;
    const time = new Date(0);
    time.setUTCFullYear(year, month - 1, day);
    time.setUTCHours(hour, minute, second, 0);
    const seconds = Math.floor(time.getTime() / 1000);
    return Number.isNaN(seconds) ? -1 : seconds;
  },
}));

export const timeBuiltins: readonly (readonly [string, BuiltinCompiler])[] = [
  ["systime", systime],
  ["strftime", strftime],
  ["mktime", mktime],
];
