import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Follower, Inode } from "../../../../src/kernel/index.ts";
import { Disk } from "../../../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../../../src/vm/broker/folders/host-folder.ts";
import { TestFolder } from "../../../support/test-folder.ts";
import { notLinux, unless } from "../../../support/unless.ts";

const disk = new Disk();
afterAll(() => disk.close());

let folder: TestFolder;
let fs: HostFolder;
let follower: Follower;

beforeEach(async () => {
  folder = new TestFolder({ "d/one": "1", "d/two": "22", "d/e/deep": "", link: { link: "d/one" } });
  fs = await HostFolder.open(disk, { path: folder.path, isReadOnly: true });
  follower = fs.follow();
  return async () => {
    follower.close();
    await fs.close();
    folder.remove();
  };
});

async function find(...names: string[]): Promise<Inode> {
  let at: Inode = fs.root;
  for (const name of names) {
    const next = await fs.lookup(at, name);
    if (next === undefined) throw new Error(`there is no ${name}`);
    at = next;
  }
  return at;
}

/** What has changed, as "directory: names". */
async function changes(names: ReadonlyMap<Inode, string>): Promise<string[] | undefined> {
  const changed = await follower.changes();
  return changed
    ?.map(({ directory, names: of }) => `${names.get(directory)}: ${of?.toSorted().join(" ")}`)
    .toSorted();
}

describe("FolderFollower", () => {
  it("surveys a directory with the attributes and targets of all in it, page by page", async () => {
    const seen = new Map<string, unknown>();
    for (let cursor: number | undefined = 0; cursor !== undefined; ) {
      const page = await follower.survey(fs.root, cursor, 1);
      for (const { name, stat, target } of page.files) seen.set(name, [stat.kind, target]);
      cursor = page.cursor;
    }
    expect(seen).toEqual(
      new Map([
        ["d", ["directory", undefined]],
        ["link", ["symlink", "d/one"]],
      ]),
    );
    const { files } = await follower.survey(await find("d"), 0, 100);
    const sizes = new Map(files.map(({ name, stat }) => [name, stat.size]));
    expect([sizes.get("one"), sizes.get("two")]).toEqual([1, 2]);
    for (const { name, inode } of files) expect(await find("d", name)).toBe(inode);
  });

  it("surveys several whole directories at one time, those that are small and still there", async () => {
    folder.add({ "d/e/deeper/a": "", "f/x": "", "g/y": "" });
    const [d, e, f, g] = [await find("d"), await find("d", "e"), await find("f"), await find("g")];
    const survey = async (limit: number, totalNames: number): Promise<unknown> => {
      const surveys = await follower.surveyWhole([d, e, fs.root, f, g], { limit, totalNames });
      return surveys.map((one) => one?.files.map(({ name }) => name).toSorted());
    };
    expect(await survey(10, 100)).toEqual([
      ["e", "one", "two"],
      ["deep", "deeper"],
      undefined,
      ["x"],
      ["y"],
    ]);
    expect(await survey(2, 100)).toEqual([undefined, ["deep", "deeper"], undefined, ["x"], ["y"]]);
    expect(await survey(10, 5)).toEqual([
      ["e", "one", "two"],
      ["deep", "deeper"],
      undefined,
      undefined,
      undefined,
    ]);
    renameSync(join(folder.path, "f"), join(folder.path, "f2"));
    mkdirSync(join(folder.path, "f"));
    rmSync(join(folder.path, "g"), { recursive: true });
    expect(await survey(1, 100)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it("surveys and reads what lies deep below what is held, and follows no link on the way", async () => {
    const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
    const path = names.join("/");
    folder.add({ [`${path}/file`]: "deep" });
    const limits = { limit: 10, totalNames: 100 };
    const { files } = await follower.survey(fs.root, 0, 10);
    const directories = files.flatMap(({ name, inode }) => (name === "n0" ? [inode] : []));
    for (let i = 1; i < names.length; i++) {
      const [survey] = await follower.surveyWhole(directories.slice(-1), limits);
      directories.push(...(survey?.files ?? []).map(({ inode }) => inode));
    }
    const look = async (): Promise<unknown> => {
      const surveys = await follower.surveyWhole(directories.slice(-2), limits);
      return surveys.map((survey) => survey?.files.map(({ name }) => name));
    };
    expect(await look()).toEqual([["n39"], ["file"]]);
    const [survey] = await follower.surveyWhole(directories.slice(-1), limits);
    const file = survey?.files[0]?.inode;
    if (file === undefined) throw new Error("there is no file");
    const read = async (): Promise<string> => {
      const { bytes } = await follower.contents([file], { limitBytes: 10, totalBytes: 10 });
      return Buffer.from(bytes).toString();
    };
    expect(await read()).toBe("deep");
    const middle = join(folder.path, names.slice(0, 35).join("/"));
    renameSync(middle, join(folder.path, "elsewhere"));
    symlinkSync(join(folder.path, "elsewhere"), middle);
    expect([await look(), await read()]).toEqual([[undefined, undefined], ""]);
  });

  it("reads the small files of several directories at one time, each as it is", async () => {
    const files = [await find("d", "one"), await find("d", "e", "deep"), await find("d", "two")];
    const limits = { limitBytes: 10, totalBytes: 100 };
    const read = async (): Promise<unknown> =>
      follower.contents(files, limits).then(({ lengths, bytes }) => ({
        lengths,
        text: Buffer.from(bytes).toString(),
      }));
    expect(await read()).toEqual({ lengths: [1, -1, 2], text: "122" });
    folder.add({ "d/two": "longer than the limit" });
    rmSync(join(folder.path, "d/one"));
    folder.add({ "d/one": "another file" });
    expect(await read()).toEqual({ lengths: [-1, -1, -1], text: "" });
  });
});

describe("a directory that is followed", unless(notLinux), () => {
  it("has every change told by the time it is asked for, and nothing else", async () => {
    const d = await find("d");
    const names = new Map([[d, "d"]]);
    expect((await follower.survey(d, 0, 100)).isFollowed).toBe(true);
    expect(await changes(names)).toEqual([]);
    const at = (name: string): string => join(folder.path, "d", name);
    for (const [change, expected] of [
      [() => appendFileSync(at("one"), "x"), "one"],
      [() => chmodSync(at("two"), 0o600), "two"],
      [() => writeFileSync(at("new"), ""), "new"],
      [() => renameSync(at("new"), at("newer")), "new newer"],
      [() => rmSync(at("newer")), "newer"],
      [() => mkdirSync(at("e/inside")), undefined],
      [() => linkSync(at("one"), at("hard")), "hard"],
      [() => writeFileSync(Buffer.from(`${at("byte-")}\xff`, "latin1"), ""), "byte-\udcff"],
    ] as const) {
      change();
      expect(await changes(names)).toEqual(expected === undefined ? [] : [`d: ${expected}`]);
    }
    await fs.read(await find("d", "one"), new Uint8Array(9), 0);
    expect(await changes(names)).toEqual([]);
  });

  it("is told to have changed as a whole where much has", async () => {
    const [d, e] = [await find("d"), await find("d", "e")];
    const names = new Map([
      [d, "d"],
      [e, "e"],
    ]);
    for (const directory of [d, e]) await follower.survey(directory, 0, 100);
    for (let n = 0; n < 20; n++) folder.add({ [`d/many-${n}`]: "" });
    expect(await changes(names)).toEqual(["d: undefined"]);
    folder.add({ "d/later": "" });
    expect(await changes(names)).toEqual([]);
    expect((await follower.survey(d, 0, 100)).isFollowed).toBe(true);
    rmSync(join(folder.path, "d/e"), { recursive: true });
    expect(await changes(names)).toEqual(["d: e", "e: deep"]);
  });

  it("is told to each follower, and to none that is closed", async () => {
    const other = fs.follow();
    const d = await find("d");
    for (const each of [follower, other]) await each.survey(d, 0, 100);
    folder.add({ "d/new": "" });
    for (const each of [follower, other]) {
      expect(await each.changes()).toEqual([{ directory: d, names: ["new"] }]);
    }
    other.close();
    folder.add({ "d/newer": "" });
    expect(await follower.changes()).toEqual([{ directory: d, names: ["newer"] }]);
    expect(await other.changes()).toEqual([]);
  });

  it("has changed as a whole for everybody when Linux lost count of what happened", async () => {
    const d = await find("d");
    await follower.survey(d, 0, 100);
    // Three events each, and Linux keeps 16,384 (fs.inotify.max_queued_events).
    for (let n = 0; n < 9000; n++) {
      writeFileSync(join(folder.path, "d", `f${n % 2}`), "x");
      rmSync(join(folder.path, "d", `f${n % 2}`));
    }
    const changed = await follower.changes();
    expect(changed).toEqual([{ directory: d, names: undefined }]);
  });
});

describe("a folder that is read-only", () => {
  it("is root's, and may be read and run by all as far as the server and the host may", async () => {
    folder.add({ "run.sh": "" });
    chmodSync(join(folder.path, "run.sh"), 0o4751);
    const modes: unknown[] = [];
    for (const name of ["run.sh", "d", "link"]) {
      const { mode, uid, gid } = await fs.stat(await find(name));
      modes.push([mode, uid, gid]);
    }
    expect(modes).toEqual([
      [0o755, 0, 0],
      [0o755, 0, 0],
      [0o777, 0, 0],
    ]);
  });
});
