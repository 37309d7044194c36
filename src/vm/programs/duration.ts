const units = new Map([
  ["", 1000],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** `1.5h` and the like in milliseconds; undefined where it is no time. */
export function parseDuration(text: string): number | undefined {
  if (/^inf(?:inity)?$/i.test(text)) return Number.MAX_SAFE_INTEGER;
  const match = /^\+?(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?)([smhd]?)$/i.exec(text);
  const unit = units.get(match?.[2]?.toLowerCase() ?? "none");
  if (match === null || unit === undefined) return undefined;
  return Math.min(Number(match[1]) * unit, Number.MAX_SAFE_INTEGER);
}
