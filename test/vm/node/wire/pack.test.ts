import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  PackError,
  type Packed,
  Packer,
  type TextCodec,
  Unpacker,
} from "../../../../src/vm/node/wire/pack.ts";

const codec: TextCodec = {
  write: (into, text, at) => new TextEncoder().encodeInto(text, into.subarray(at)).written,
  read: (from, start, end) => new TextDecoder().decode(from.subarray(start, end)),
};

function pack(value: Packed, windowBytes = 64, limitBytes = 1 << 20): Uint8Array {
  const packer = new Packer(new Uint8Array(windowBytes), codec, limitBytes);
  packer.write(value);
  return packer.finish();
}

const unpack = (bytes: Uint8Array): Packed => new Unpacker(bytes, codec).read();

const values = fc.letrec<{ value: Packed }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(undefined, null, true, false),
    fc.integer(),
    fc.double(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 5, noNullPrototype: false }),
  ),
}));

/** Records come back without a prototype. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Array.from(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([name, one]) => [name, plain(one)]);
}

describe("packed values", () => {
  it("come back as they were, within the window and beyond it", () => {
    fc.assert(
      fc.property(values.value, fc.integer({ min: 16, max: 5000 }), (value, windowBytes) => {
        expect(plain(unpack(pack(value, windowBytes)))).toEqual(plain(value));
      }),
    );
  });

  it("keep apart what looks alike", () => {
    expect(Object.is(unpack(pack(-0)), -0)).toBe(true);
    expect(unpack(pack(2 ** 31))).toBe(2 ** 31);
    expect(unpack(pack(Number.NaN))).toBeNaN();
    expect(unpack(pack({ ["__proto__"]: 1 }))).toEqual(
      Object.assign(Object.create(null), {}, { ["__proto__"]: 1 }),
    );
  });

  it("are refused beyond their limit, and when nested without end", () => {
    expect(() => pack("x".repeat(100), 64, 200)).toThrow(PackError);
    let nested: Packed = [];
    for (let depth = 0; depth < 100; depth++) nested = [nested];
    expect(() => pack(nested)).toThrow(PackError);
  });

  it("fail with PackError, or are some value, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          unpack(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(PackError);
        }
      }),
      { numRuns: 2000 },
    );
    // A list that says it has four thousand million entries.
    expect(() => unpack(Uint8Array.of(8, 255, 255, 255, 255))).toThrow(PackError);
  });
});
