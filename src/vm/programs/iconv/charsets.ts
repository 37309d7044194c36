/** Character sets: bytes to code points and back. */

export interface Charset {
  /**
   * The code point at a place and its bytes. "bad" where there is none, "short" where more bytes are
   * needed.
   */
  decode(
    bytes: Uint8Array,
    at: number,
  ): { readonly code: number; readonly length: number } | "bad" | "short";
  /** Undefined where the set has no such character. */
  encode(code: number): readonly number[] | undefined;
  /** What a text starts with, the mark of its order. */
  readonly mark?: readonly number[];
  /** Sees the order from a mark at the start; answers the set for the rest and the mark's bytes. */
  readonly sniff?: (bytes: Uint8Array) => { readonly charset: Charset; readonly length: number };
}

function single(codes: (byte: number) => number | undefined): Charset {
  const back = new Map<number, number>();
  for (let byte = 0; byte < 256; byte++) {
    const code = codes(byte);
    if (code !== undefined && !back.has(code)) back.set(code, byte);
  }
  return {
    decode: (bytes, at) => {
      const code = codes(bytes[at] ?? 0);
      return code === undefined ? "bad" : { code, length: 1 };
    },
    encode: (code) => {
      const byte = back.get(code);
      return byte === undefined ? undefined : [byte];
    },
  };
}

const ascii = single((byte) => (byte < 128 ? byte : undefined));
const latin1 = single((byte) => byte);

const latin9Changes = new Map([
  [0xa4, 0x20ac],
  [0xa6, 0x160],
  [0xa8, 0x161],
  [0xb4, 0x17d],
  [0xb8, 0x17e],
  [0xbc, 0x152],
  [0xbd, 0x153],
  [0xbe, 0x178],
]);
const latin9 = single((byte) => latin9Changes.get(byte) ?? byte);

/** 0x80 to 0x9f of Windows' code page 1252; 0 for none. */
const windows = [
  0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0,
  0x17d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
  0x153, 0, 0x17e, 0x178,
];
const cp1252 = single((byte) =>
  byte >= 0x80 && byte < 0xa0 ? windows[byte - 0x80] || undefined : byte,
);

const utf8: Charset = {
  decode: (bytes, at) => {
    const first = bytes[at] ?? 0;
    if (first < 0x80) return { code: first, length: 1 };
    if (first < 0xc2 || first > 0xf4) return "bad";
    const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = first & (0x7f >> length);
    for (let next = 1; next < length; next++) {
      const byte = bytes[at + next];
      if (byte === undefined) return "short";
      if ((byte & 0xc0) !== 0x80) return "bad";
      code = (code << 6) | (byte & 0x3f);
    }
    const least = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
    const isGood = code >= least && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isGood ? { code, length } : "bad";
  },
  encode: (code) => {
    if (code < 0x80) return [code];
    if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)];
    if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
    return [
      0xf0 | (code >> 18),
      0x80 | ((code >> 12) & 63),
      0x80 | ((code >> 6) & 63),
      0x80 | (code & 63),
    ];
  },
};

function pair(unit: number, isLittle: boolean): [number, number] {
  return isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255];
}

function utf16(isLittle: boolean, hasPairs = true): Charset {
  const unitAt = (bytes: Uint8Array, at: number): number | undefined => {
    const [first, second] = [bytes[at], bytes[at + 1]];
    if (first === undefined || second === undefined) return undefined;
    return isLittle ? first | (second << 8) : (first << 8) | second;
  };
  return {
    decode: (bytes, at) => {
      const unit = unitAt(bytes, at);
      if (unit === undefined) return "short";
      if (unit < 0xd800 || unit > 0xdfff) return { code: unit, length: 2 };
      if (unit > 0xdbff || !hasPairs) return "bad";
      const low = unitAt(bytes, at + 2);
      if (low === undefined) return "short";
      if (low < 0xdc00 || low > 0xdfff) return "bad";
      return { code: 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), length: 4 };
    },
    encode: (code) => {
      if (code < 0x10000) return pair(code, isLittle);
      if (!hasPairs) return undefined;
      const rest = code - 0x10000;
      return [...pair(0xd800 + (rest >> 10), isLittle), ...pair(0xdc00 + (rest & 0x3ff), isLittle)];
    },
  };
}

function utf32(isLittle: boolean): Charset {
  return {
    decode: (bytes, at) => {
      if (at + 4 > bytes.length) return "short";
      const view = new DataView(bytes.buffer, bytes.byteOffset + at, 4);
      const code = view.getUint32(0, isLittle);
      return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "bad" : { code, length: 4 };
    },
    encode: (code) => {
      const big = [0, code >> 16, (code >> 8) & 255, code & 255];
      return isLittle ? big.toReversed() : big;
    },
  };
}

/** Little where no mark says otherwise, as on the machine. */
function marked(little: Charset, big: Charset, mark: readonly number[]): Charset {
  const reversed = mark.toReversed();
  return {
    ...little,
    mark,
    sniff: (bytes) => {
      const starts = (sign: readonly number[]): boolean =>
        sign.every((one, at) => bytes[at] === one);
      if (starts(mark)) return { charset: little, length: mark.length };
      if (starts(reversed)) return { charset: big, length: mark.length };
      return { charset: little, length: 0 };
    },
  };
}

const groups: readonly (readonly [string, Charset])[] = [
  ["UTF-8 UTF8", utf8],
  ["ASCII US-ASCII ANSI_X3.4-1968 ISO646-US 646 US", ascii],
  ["ISO-8859-1 ISO8859-1 ISO_8859-1 ISO88591 8859_1 LATIN1 L1 CP819", latin1],
  ["ISO-8859-15 ISO8859-15 ISO_8859-15 LATIN-9 LATIN9", latin9],
  ["CP1252 WINDOWS-1252 MS-ANSI", cp1252],
  ["UTF-16LE UTF16LE", utf16(true)],
  ["UTF-16BE UTF16BE", utf16(false)],
  ["UTF-16 UTF16", marked(utf16(true), utf16(false), [0xff, 0xfe])],
  ["UCS-2 UCS2 ISO-10646-UCS-2 UCS-2LE UCS2LE", utf16(true, false)],
  ["UCS-2BE UCS2BE UNICODEBIG", utf16(false, false)],
  ["UTF-32LE UTF32LE UCS-4LE", utf32(true)],
  ["UTF-32BE UTF32BE UCS-4 UCS4 UCS-4BE", utf32(false)],
  ["UTF-32 UTF32", marked(utf32(true), utf32(false), [0xff, 0xfe, 0, 0])],
];

const charsets = new Map(
  groups.flatMap(([names, charset]) => names.split(" ").map((name) => [name, charset] as const)),
);

export function findCharset(name: string): Charset | undefined {
  return charsets.get(name.toUpperCase());
}

/** Every name, sorted. */
export function charsetNames(): string[] {
  return [...charsets.keys()].sort();
}
