import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Stat } from "../../../src/kernel/abi/stat.ts";
import { FdTable } from "../../../src/kernel/fd/fd-table.ts";
import { OpenFile } from "../../../src/kernel/fd/open-file.ts";
import { Limits } from "../../../src/kernel/limits/limits.ts";

class CountedFile extends OpenFile {
  released = 0;

  override describe(): string {
    return "counted";
  }

  override stat(): Promise<Stat> {
    return Promise.reject(new Error("nobody asks"));
  }

  protected override release(): void {
    this.released += 1;
  }
}

const LIMIT = 8;

function makeTable(): FdTable {
  return new FdTable(new Limits({ maxOpenFds: LIMIT }, () => {}));
}

describe("an fd table", () => {
  it("gives the lowest free number and releases a file with its last one", () => {
    const table = makeTable();
    const [a, b] = [new CountedFile(0), new CountedFile(0)];
    expect([table.add(a), table.add(a), table.add(b), table.add(a, true, 5)]).toEqual([0, 1, 2, 5]);
    expect(table.isCloseOnExec(5)).toBe(true);
    table.close(0);
    table.close(1);
    expect(a.released).toBe(0);
    table.set(5, b);
    expect(a.released).toBe(1);
    expect(table.numbers()).toEqual([2, 5]);
    expect(table.add(b)).toBe(0);
    table.closeAll();
    expect([a.released, b.released]).toEqual([1, 1]);
  });

  it("keeps a file whole when it is put where it is", () => {
    const table = makeTable();
    const file = new CountedFile(0);
    table.add(file);
    table.set(0, file, true);
    expect([file.released, table.isCloseOnExec(0)]).toEqual([0, true]);
    table.close(0);
    expect(file.released).toBe(1);
  });

  it("copies for a child, which closes apart", () => {
    const table = makeTable();
    const file = new CountedFile(0);
    table.add(file, true);
    const child = table.copy();
    expect(child.isCloseOnExec(0)).toBe(true);
    child.closeOnExec();
    expect([child.find(0), table.find(0)]).toEqual([undefined, file]);
    table.closeAll();
    expect(file.released).toBe(1);
  });

  it("fails for what is not open and for numbers that cannot be", () => {
    const table = makeTable();
    const file = new CountedFile(0);
    expect(() => table.get(0)).toThrow("EBADF: 0: Bad file descriptor");
    expect(() => table.close(-1)).toThrow("EBADF");
    for (const fd of [-1, LIMIT, 0.5, Number.NaN])
      expect(() => table.set(fd, file)).toThrow("EBADF");
    for (let i = 0; i < LIMIT; i++) table.add(file);
    expect(() => table.add(file)).toThrow("EMFILE: Too many open files (limit maxOpenFds is 8");
    expect(() => table.requireRoom()).toThrow("EMFILE");
    table.closeAll();
    expect(file.released).toBe(1);
  });

  it("takes nothing in once its process has ended", () => {
    const table = makeTable();
    table.closeAll();
    expect(() => table.add(new CountedFile(0))).toThrow("EBADF");
  });

  it("does as a plain list does, whatever is done", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), from: fc.nat(LIMIT) }),
      fc.record({ do: fc.constant("set" as const), from: fc.nat(LIMIT - 1) }),
      fc.record({ do: fc.constant("close" as const), from: fc.nat(LIMIT - 1) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const table = makeTable();
        const model: (CountedFile | undefined)[] = Array.from({ length: LIMIT });
        const all: CountedFile[] = [];
        for (const { do: action, from } of steps) {
          const file = new CountedFile(0);
          const free = model.findIndex((held, fd) => fd >= from && held === undefined);
          if (action === "close") {
            if (model[from] !== undefined) table.close(from);
            model[from] = undefined;
            continue;
          }
          if (action === "add" && free === -1) {
            expect(() => table.add(file, false, from)).toThrow("EMFILE");
            continue;
          }
          const fd = action === "set" ? from : free;
          if (action === "set") table.set(fd, file);
          else expect(table.add(file, false, from)).toBe(fd);
          model[fd] = file;
          all.push(file);
        }
        expect(model.map((_, fd) => table.find(fd))).toEqual(model);
        for (const file of all) expect(file.released).toBe(model.includes(file) ? 0 : 1);
      }),
    );
  });
});
