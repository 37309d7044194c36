import { lutimesSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { LinuxFiles } from "../../../../src/vm/broker/folders/linux-files.ts";
import { codeOf, type FileFacts, type Reach } from "../../../../src/vm/broker/folders/reach.ts";
import { ReachByFd } from "../../../../src/vm/broker/folders/reach-by-fd.ts";
import { ReachByLibc } from "../../../../src/vm/broker/folders/reach-by-libc.ts";
import { TestFolder } from "../../../support/test-folder.ts";
import { notLinux, unless } from "../../../support/unless.ts";

let folder: TestFolder;

beforeEach(() => {
  folder = new TestFolder({ file: "content", "d/deep": "1", link: { link: "d/deep" } });
  return () => folder.remove();
});

function byLibc(): Reach {
  const files = LinuxFiles.open();
  if (files === undefined) throw new Error("this Node has no node:ffi");
  return new ReachByLibc(files);
}

/** All in the folder by its names; undefined where there is more than `most`. */
function look(reach: Reach, most = 256): Record<string, unknown> | undefined {
  const { fd } = reach.holdRoot(folder.path);
  try {
    const seen: [string, FileFacts, string | undefined][] = [];
    const isWhole = reach.lookThrough(fd, most, (...file) => seen.push(file));
    return isWhole ? Object.fromEntries(seen.map(([name, ...rest]) => [name, rest])) : undefined;
  } finally {
    reach.close(fd);
  }
}

function codeOfCall(act: () => unknown): string {
  try {
    act();
    return "none";
  } catch (error) {
    return codeOf(error);
  }
}

describe("ReachByLibc", unless(notLinux), () => {
  it("says of every kind of file what Node says", async () => {
    folder.addFifo("fifo");
    mkdirSync(join(folder.path, "directory"), { mode: 0o1711 });
    symlinkSync("\u00e9".repeat(2000), join(folder.path, "long link"));
    writeFileSync(join(folder.path, "large"), "");
    truncateSync(join(folder.path, "large"), 5 * 2 ** 32 + 7);
    writeFileSync(join(folder.path, "n\u00e4me \u{1f600}\n"), "");
    writeFileSync(Buffer.from(`${folder.path}/not UTF-8 \xff\xfe`, "latin1"), "");
    writeFileSync(join(folder.path, "x".repeat(255)), "");
    const times = { old: -1_000_000.25, epoch: 0, late: 2 ** 32 + 0.5, small: 1e9 + 0.000_001 };
    for (const [name, seconds] of Object.entries(times)) {
      writeFileSync(join(folder.path, name), "");
      lutimesSync(join(folder.path, name), new Date(seconds * 1000), new Date(seconds * 2000));
    }
    const server = createServer().listen(join(folder.path, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    // Reading a link for the first time changes when it was read.
    look(new ReachByFd());
    const seen = look(byLibc());
    expect(seen).toEqual(look(new ReachByFd()));
    expect(Object.keys(seen ?? {})).toHaveLength(15);
    await new Promise((resolve) => server.close(resolve));
  });

  it("says of held files and of single names what Node says", () => {
    look(new ReachByFd());
    const all = [byLibc(), new ReachByFd()].map((reach) => {
      const { fd: root } = reach.holdRoot(folder.path);
      const { fd, facts } = reach.hold(root, "file");
      const single: unknown[] = [];
      reach.lookAt(root, Buffer.from("link"), (...file) => single.push(file));
      reach.lookAt(root, Buffer.from("none"), (...file) => single.push(file));
      const held = reach.stat(fd);
      const content = reach.withContent(fd, 0, (open) => reach.stat(open).identity);
      const code = codeOfCall(() => reach.hold(root, "none"));
      for (const each of [fd, root]) reach.close(each);
      return { facts, held, single, content, code };
    });
    expect(all[0]).toEqual(all[1]);
    expect(all[0]).toMatchObject({ single: [["link", {}, "d/deep"]], code: "ENOENT" });
  });

  it("looks through what has as many names as are wanted, and tells nothing of more", () => {
    for (let i = 0; i < 253; i++) writeFileSync(join(folder.path, `${i}`.padStart(250, "n")), "");
    for (const reach of [byLibc(), new ReachByFd()]) {
      expect(Object.keys(look(reach, 256) ?? {})).toHaveLength(256);
      expect(look(reach, 255)).toBeUndefined();
      expect(look(reach, 3)).toBeUndefined();
    }
    writeFileSync(join(folder.path, "one more"), "");
    expect(look(byLibc(), 256)).toBeUndefined();
  });

  it("opens neither links nor what is special for its content", () => {
    folder.addFifo("fifo");
    const reach = byLibc();
    const { fd: root } = reach.holdRoot(folder.path);
    for (const name of ["link", "fifo", "d"]) {
      const { fd } = reach.hold(root, name);
      expect(() => reach.withContent(fd, 0, () => "opened")).toThrow();
      reach.close(fd);
    }
    reach.close(root);
  });
});
