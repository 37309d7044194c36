/** `1.5K`, `12M`: at most three digits, rounded up, as GNU's -h shows sizes. */
export function showSize(bytes: number, base: 1000 | 1024): string {
  if (bytes < base) return String(bytes);
  const letters = base === 1000 ? ["k", "M", "G", "T", "P", "E"] : ["K", "M", "G", "T", "P", "E"];
  let value = bytes;
  let letter = "";
  for (const next of letters) {
    if (value < base) break;
    value /= base;
    letter = next;
    const rounded = value < 10 ? Math.ceil(value * 10) / 10 : Math.ceil(value);
    if (rounded < base) return `${rounded < 10 ? rounded.toFixed(1) : rounded}${letter}`;
  }
  return `${Math.ceil(value)}${letter}`;
}
