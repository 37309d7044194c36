import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileContent, PAGE_BYTES } from "../../../../src/kernel/filesystems/memory/file-content.ts";

/** Offsets near page edges, where mistakes live, and anywhere in four pages. */
const offsets = fc.oneof(
  fc.integer({ min: 0, max: 4 * PAGE_BYTES }),
  fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -3, max: 3 }))
    .map(([page, by]) => Math.max(0, page * PAGE_BYTES + by)),
  fc.integer({ min: 0, max: 2000 }),
);
const lengths = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 140_000 }));

const steps = fc.oneof(
  fc.record({ write: offsets, length: lengths, fill: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ truncate: offsets }),
);

class Model {
  bytes = new Uint8Array(0);

  resize(size: number): void {
    const next = new Uint8Array(size);
    next.set(this.bytes.subarray(0, size));
    this.bytes = next;
  }

  write(from: Uint8Array, offset: number): void {
    if (offset + from.length > this.bytes.length) this.resize(offset + from.length);
    this.bytes.set(from, offset);
  }
}

describe("FileContent", () => {
  it("reads as a plain array of bytes does after any writes and cuts", () => {
    const shared = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 150_000 }));
    const property = fc.property(shared, fc.array(steps, { maxLength: 20 }), (size, all) => {
      const image = new Uint8Array(size).fill(9);
      const content = new FileContent(image);
      const model = new Model();
      model.write(image, 0);
      for (const step of all) {
        if ("write" in step) {
          const from = new Uint8Array(step.length).fill(step.fill);
          const held = content.heldBytes + content.growthFor(step.write, step.length);
          content.write(from, step.write);
          model.write(from, step.write);
          expect(content.heldBytes).toBe(held);
        } else {
          content.truncate(step.truncate);
          model.resize(step.truncate);
        }
      }
      expect(content.sizeBytes).toBe(model.bytes.length);
      const into = new Uint8Array(model.bytes.length + 10).fill(0xee);
      expect(content.read(into, 0)).toBe(model.bytes.length);
      expect(Buffer.compare(into.subarray(0, model.bytes.length), model.bytes)).toBe(0);
      expect([...into.subarray(model.bytes.length)]).toEqual(Array(10).fill(0xee));
      expect(image.every((byte) => byte === 9)).toBe(true);
      content.truncate(0);
      expect(content.heldBytes).toBe(0);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("reads any stretch, with zeros from holes", () => {
    const content = new FileContent();
    content.write(new Uint8Array(10).fill(1), 2 * PAGE_BYTES - 5);
    fc.assert(
      fc.property(offsets, lengths, (offset, length) => {
        const into = new Uint8Array(length).fill(0xee);
        const count = content.read(into, offset);
        expect(count).toBe(Math.max(0, Math.min(length, 2 * PAGE_BYTES + 5 - offset)));
        const isWritten = (at: number): boolean => at >= 2 * PAGE_BYTES - 5;
        const expected = Uint8Array.from({ length }, (_, i) =>
          i >= count ? 0xee : isWritten(offset + i) ? 1 : 0,
        );
        expect(Buffer.compare(into, expected)).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it("holds one page for a byte at a terabyte and gives it up when cut", () => {
    const content = new FileContent();
    content.write(Uint8Array.of(1), 2 ** 40 - 1);
    expect([content.sizeBytes, content.heldBytes]).toEqual([2 ** 40, PAGE_BYTES]);
    content.truncate(2 ** 40 - 1);
    content.truncate(2 ** 40);
    expect([content.sizeBytes, content.heldBytes]).toEqual([2 ** 40, PAGE_BYTES]);
    content.truncate(1);
    expect([content.sizeBytes, content.heldBytes]).toEqual([1, 0]);
  });

  it("appends byte by byte copying no byte more than a few times", () => {
    const content = new FileContent();
    for (let i = 0; i < 2 * PAGE_BYTES; i++) content.write(Uint8Array.of(i & 0xff), i);
    expect([content.sizeBytes, content.heldBytes]).toEqual([2 * PAGE_BYTES, 2 * PAGE_BYTES]);
  });
});
