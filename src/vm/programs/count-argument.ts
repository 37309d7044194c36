const units = new Map([
  ["", 1],
  ["b", 512],
  ["kB", 1000],
  ["KB", 1000],
  ["k", 1024],
  ["K", 1024],
  ["KiB", 1024],
  ["MB", 1000 ** 2],
  ["m", 1024 ** 2],
  ["M", 1024 ** 2],
  ["MiB", 1024 ** 2],
  ["GB", 1000 ** 3],
  ["g", 1024 ** 3],
  ["G", 1024 ** 3],
  ["GiB", 1024 ** 3],
  ["TB", 1000 ** 4],
  ["T", 1024 ** 4],
  ["TiB", 1024 ** 4],
]);

/** `10`, `2K`, `1MB`: a count with GNU's suffixes; undefined where it is none. */
export function parseCount(text: string): number | undefined {
  const match = /^(\d+)([A-Za-z]*)$/.exec(text);
  const unit = units.get(match?.[2] ?? "none");
  if (match === null || unit === undefined) return undefined;
  return Math.min(Number(match[1]) * unit, Number.MAX_SAFE_INTEGER);
}
