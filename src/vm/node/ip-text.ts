// Internet addresses: their text as inet_pton(3) reads and inet_ntop(3) writes it, and their bytes.

const GROUPS = 8;
/** The longest text there is: eight groups, the last two dotted. */
const TEXT_MAX = 45;

/** Its 4 bytes; undefined when it is no IPv4 address. */
export function parseIp4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (text.length > TEXT_MAX || parts.length !== 4) return undefined;
  const bytes = new Uint8Array(4);
  for (const [index, part] of parts.entries()) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    bytes[index] = Number(part);
  }
  return bytes;
}

/** Its 16 bytes; undefined when it is no IPv6 address. */
export function parseIp6(text: string): Uint8Array | undefined {
  const halves = text.split("::");
  if (text.length > TEXT_MAX || halves.length > 2) return undefined;
  const [head = "", tail] = halves;
  const first = parseGroups(head, tail === undefined);
  const last = tail === undefined ? [] : parseGroups(tail, true);
  if (first === undefined || last === undefined) return undefined;
  const missing = GROUPS - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...first, ...Array.from({ length: missing }, () => 0), ...last];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The last group may be an IPv4 address where the text ends with it. */
function parseGroups(text: string, isEnd: boolean): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    const embedded = isEnd && index === parts.length - 1 ? parseIp4(part) : undefined;
    if (embedded !== undefined) {
      const [a = 0, b = 0, c = 0, d = 0] = embedded;
      groups.push((a << 8) | b, (c << 8) | d);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups.length > GROUPS ? undefined : groups;
}

export function parseIp(text: string): Uint8Array | undefined {
  return text.includes(":") ? parseIp6(text) : parseIp4(text);
}

/** The text of 4 or 16 bytes. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups: number[] = [];
  for (let at = 0; at < 16; at += 2) groups.push(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
  const run = longestZeros(groups);
  const isEmbedded =
    run.at === 0 && (run.length === 6 || (run.length === 5 && groups[5] === 0xffff));
  if (isEmbedded) return `::${run.length === 5 ? "ffff:" : ""}${bytes.slice(12).join(".")}`;
  const texts = groups.map((group) => group.toString(16));
  if (run.length < 2) return texts.join(":");
  return `${texts.slice(0, run.at).join(":")}::${texts.slice(run.at + run.length).join(":")}`;
}

/** The first of the longest runs of zeros. */
function longestZeros(groups: readonly number[]): { at: number; length: number } {
  let best = { at: -1, length: 0 };
  for (let at = 0; at < GROUPS; at += 1) {
    let end = at;
    while (end < GROUPS && groups[end] === 0) end += 1;
    if (end - at > best.length) best = { at, length: end - at };
    at = Math.max(at, end - 1);
  }
  return best;
}
