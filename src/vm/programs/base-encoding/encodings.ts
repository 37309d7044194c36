/** The encodings of basenc: groups of bytes as groups of letters. */

export interface Encoding {
  readonly name: string;
  readonly help: string;
  /** Bytes of a group, and the letters they become. */
  readonly bytes: number;
  readonly letters: number;
  /** A `=` is part of it. */
  readonly isPadded: boolean;
  /** Values of letters; -1 for others. */
  readonly values: Int8Array;
  /** Writes the letters of a group; the last one may be short. Answers how many. */
  encode(from: Uint8Array, start: number, end: number, into: Uint8Array): number;
  /**
   * Writes the bytes of a group, as many as are good, to the end of `into`. False where something is
   * wrong with it.
   */
  decode(group: Uint8Array, length: number, into: number[]): boolean;
  /** What is wrong with input that ends inside a group. */
  readonly shortProblem?: string;
}

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const PAD = 61;

function valuesOf(alphabet: string): Int8Array {
  const values = new Int8Array(256).fill(-1);
  for (let at = 0; at < alphabet.length; at++) values[alphabet.charCodeAt(at)] = at;
  return values;
}

interface BitForm {
  readonly name: string;
  readonly help: string;
  readonly alphabet: string;
  /** Bits of a letter. */
  readonly bits: number;
  readonly bytes: number;
}

/** Letters that stand for bits, the highest first. */
function bitEncoding({ name, help, alphabet, bits, bytes }: BitForm): Encoding {
  const codes = Uint8Array.from(alphabet, (letter) => letter.charCodeAt(0));
  const values = valuesOf(alphabet);
  const letters = (bytes * 8) / bits;
  const isPadded = bytes > 1;
  const mask = (1 << bits) - 1;
  return {
    name,
    help,
    bytes,
    letters,
    isPadded,
    values,
    encode: (from, start, end, into) => {
      let held = 0;
      let count = 0;
      let at = 0;
      for (let place = start; place < end; place++) {
        held = ((held << 8) | (from[place] ?? 0)) & 0xffff;
        for (count += 8; count >= bits; count -= bits)
          into[at++] = codes[(held >> (count - bits)) & mask] ?? 0;
      }
      if (count > 0) into[at++] = codes[(held << (bits - count)) & mask] ?? 0;
      while (isPadded && at < letters) into[at++] = PAD;
      return at;
    },
    decode: (group, length, into) => decodeBits(group, length, into, { values, bits, letters }),
  };
}

interface BitDecoding {
  readonly values: Int8Array;
  readonly bits: number;
  readonly letters: number;
}

/** Letters that go with padding: those that are left must end a byte. */
function decodeBits(
  group: Uint8Array,
  length: number,
  into: number[],
  { values, bits, letters }: BitDecoding,
): boolean {
  if (bits === 5 && length < letters) return false;
  let held = 0;
  let count = 0;
  for (let at = 0; at < length; at++) {
    const letter = group[at] ?? 0;
    const value = values[letter] ?? -1;
    if (value === -1)
      return letter === PAD && bits > 4 && length === letters && isPadding(group, at, count, bits);
    held = ((held << bits) | value) & 0xffff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    into.push((held >> count) & 0xff);
  }
  return length === letters;
}

/** Only padding follows, and no whole letter is left over before it. */
function isPadding(group: Uint8Array, at: number, left: number, bits: number): boolean {
  if (at === 0 || left >= bits) return false;
  return group.subarray(at).every((letter) => letter === PAD);
}

const lowFirst: Encoding = {
  name: "base2lsbf",
  help: "bits, the lowest first",
  bytes: 1,
  letters: 8,
  isPadded: false,
  values: valuesOf("01"),
  encode: (from, start, _end, into) => {
    for (let bit = 0; bit < 8; bit++) into[bit] = 48 + (((from[start] ?? 0) >> bit) & 1);
    return 8;
  },
  decode: (group, length, into) => {
    let byte = 0;
    for (let bit = 0; bit < length; bit++) {
      const letter = group[bit] ?? 0;
      if (letter !== 48 && letter !== 49) return false;
      byte |= (letter - 48) << bit;
    }
    if (length < 8) return false;
    into.push(byte);
    return true;
  },
};

const z85Letters =
  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
const z85Values = valuesOf(z85Letters);

const z85: Encoding = {
  name: "z85",
  help: "ZeroMQ's base 85; input of a multiple of 4 bytes, or 5 letters",
  bytes: 4,
  letters: 5,
  isPadded: false,
  values: z85Values,
  shortProblem: "invalid input (length must be multiple of 4 characters)",
  encode: (from, start, end, into) => {
    let value = 0;
    for (let at = start; at < end; at++) value = value * 256 + (from[at] ?? 0);
    for (let at = 4; at >= 0; at--) {
      into[at] = z85Letters.charCodeAt(value % 85);
      value = Math.floor(value / 85);
    }
    return 5;
  },
  decode: (group, length, into) => {
    let value = 0;
    for (let at = 0; at < length; at++) {
      const digit = z85Values[group[at] ?? 0] ?? -1;
      if (digit === -1) return false;
      value = value * 85 + digit;
    }
    if (length < 5 || value >= 2 ** 32) return false;
    for (let shift = 24; shift >= 0; shift -= 8) into.push(Math.floor(value / 2 ** shift) & 0xff);
    return true;
  },
};

const lower = upper.toLowerCase();
const digits = "0123456789";

export const encodings: readonly Encoding[] = [
  bitEncoding({
    name: "base64",
    help: "as base64 does",
    alphabet: `${upper}${lower}${digits}+/`,
    bits: 6,
    bytes: 3,
  }),
  bitEncoding({
    name: "base64url",
    help: "base64 for file names and URLs",
    alphabet: `${upper}${lower}${digits}-_`,
    bits: 6,
    bytes: 3,
  }),
  bitEncoding({
    name: "base32",
    help: "as base32 does",
    alphabet: `${upper}234567`,
    bits: 5,
    bytes: 5,
  }),
  bitEncoding({
    name: "base32hex",
    help: "base32 that sorts as its bytes do",
    alphabet: `${digits}${upper.slice(0, 22)}`,
    bits: 5,
    bytes: 5,
  }),
  bitEncoding({
    name: "base16",
    help: "hexadecimal",
    alphabet: `${digits}ABCDEF`,
    bits: 4,
    bytes: 1,
  }),
  bitEncoding({
    name: "base2msbf",
    help: "bits, the highest first",
    alphabet: "01",
    bits: 1,
    bytes: 1,
  }),
  lowFirst,
  z85,
];
