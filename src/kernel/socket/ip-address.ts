/**
 * Internet addresses as text. The kernel holds one text for each: IPv4 dotted, IPv6 as RFC 5952
 * writes it, an IPv4-mapped one as the IPv4 address that it means.
 */

export const ANY4 = "0.0.0.0";
export const ANY6 = "::";
export const LOOPBACK4 = "127.0.0.1";
export const LOOPBACK6 = "::1";

/** The groups of an IPv6 address. */
const GROUPS = 8;
/** The longest text there is: eight groups, the last two dotted. */
const TEXT_MAX = 45;

/** The one text of an address as inet_pton(3) reads it; undefined when it is none. */
export function parseIp(text: string): string | undefined {
  if (text.length > TEXT_MAX) return undefined;
  if (!text.includes(":")) return parse4(text) === undefined ? undefined : text;
  const groups = parse6(text);
  if (groups === undefined) return undefined;
  return isMapped(groups) ? dotted(groups[6] ?? 0, groups[7] ?? 0) : format6(groups);
}

export function isIp6(ip: string): boolean {
  return ip.includes(":");
}

/** The machine itself: 127.0.0.0/8 and ::1. */
export function isLoopback(ip: string): boolean {
  return ip === LOOPBACK6 || ip.startsWith("127.");
}

/** Every address of the machine. */
export function isWildcard(ip: string): boolean {
  return ip === ANY4 || ip === ANY6;
}

/** How an IPv6 socket shows an IPv4 address. */
export function mappedText(ip: string): string {
  return `::ffff:${ip}`;
}

/** Its 4 or 16 bytes, the first first. */
export function ipBytes(ip: string): Uint8Array {
  if (!isIp6(ip)) return Uint8Array.from(parse4(ip) ?? []);
  return Uint8Array.from((parse6(ip) ?? []).flatMap((group) => [group >> 8, group & 0xff]));
}

function parse4(text: string): number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  const numbers = parts.map((part) => (/^(0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256));
  return numbers.every((number) => number < 256) ? numbers : undefined;
}

function parse6(text: string): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head = "", tail] = halves;
  const first = parseGroups(head, tail === undefined);
  const last = tail === undefined ? [] : parseGroups(tail, true);
  if (first === undefined || last === undefined) return undefined;
  const missing = GROUPS - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  return [...first, ...Array<number>(missing).fill(0), ...last];
}

/** The last group may be an IPv4 address where the text ends with it. */
function parseGroups(text: string, isEnd: boolean): number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: number[] = [];
  for (const [i, part] of parts.entries()) {
    const embedded = isEnd && i === parts.length - 1 ? parse4(part) : undefined;
    if (embedded !== undefined) {
      const [a = 0, b = 0, c = 0, d = 0] = embedded;
      groups.push((a << 8) | b, (c << 8) | d);
      continue;
    }
    if (!/^[0-9a-f]{1,4}$/i.test(part)) return undefined;
    groups.push(Number.parseInt(part, 16));
  }
  return groups.length > GROUPS ? undefined : groups;
}

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** The longest run of two or more zeros becomes `::`, the first of equals. */
function format6(groups: readonly number[]): string {
  let best = { at: -1, length: 1 };
  let at = 0;
  while (at < GROUPS) {
    let end = at;
    while (end < GROUPS && groups[end] === 0) end += 1;
    if (end - at > best.length) best = { at, length: end - at };
    at = end + 1;
  }
  const texts = groups.map((group) => group.toString(16));
  if (best.at === -1) return texts.join(":");
  const head = texts.slice(0, best.at).join(":");
  return `${head}::${texts.slice(best.at + best.length).join(":")}`;
}
