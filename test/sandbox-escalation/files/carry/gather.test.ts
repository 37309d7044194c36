import { expect, it } from "vitest";
import { gather } from "../../../../src/sandbox-escalation/files/carry/gather.ts";

async function* pieces(sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield Buffer.alloc(size, size & 0xff);
}

it.each([
  [[], []],
  [[0, 0], []],
  [[1, 2, 3], [6]],
  [
    [200_000, 60_000, 10_000],
    [260_000, 10_000],
  ],
  [
    [1, 1_000_000, 1],
    [1, 1_000_000, 1],
  ],
])("passes pieces of %j on as %j", async (sizes, expected) => {
  const got: Uint8Array[] = [];
  for await (const piece of gather(pieces(sizes))) got.push(piece);
  expect(got.map(({ length }) => length)).toEqual(expected);
  const sent = Buffer.concat(sizes.map((size) => Buffer.alloc(size, size & 0xff)));
  expect(Buffer.concat(got).equals(sent)).toBe(true);
});
