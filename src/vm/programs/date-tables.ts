/** What date words mean by themselves. */

/** Hours east of Greenwich of zones by their short names. */
export const zoneHours = new Map([
  ["utc", 0],
  ["gmt", 0],
  ["ut", 0],
  ["z", 0],
  ["wet", 0],
  ["bst", 1],
  ["cet", 1],
  ["met", 1],
  ["cest", 2],
  ["eet", 2],
  ["eest", 3],
  ["msk", 3],
  ["ist", 5.5],
  ["jst", 9],
  ["nzst", 12],
  ["est", -5],
  ["edt", -4],
  ["cst", -6],
  ["cdt", -5],
  ["mst", -7],
  ["mdt", -6],
  ["pst", -8],
  ["pdt", -7],
  ["akst", -9],
  ["hst", -10],
  ["ast", -4],
  ["nst", -3.5],
  ["brt", -3],
  ["sst", -12],
]);

/** Two digits are of the years 1969 to 2068. */
export function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 69 ? 2000 + year : 1900 + year;
}
