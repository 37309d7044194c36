// What a sandbox sends when files are carried back is its word: it may mean harm.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isCarriedPath } from "../../../../src/sandbox-escalation/files/carry/carried-path.ts";
import { carryBack } from "../../../../src/sandbox-escalation/files/carry/carry-back.ts";
import { listSandbox } from "../../../../src/sandbox-escalation/files/carry/list-sandbox.ts";
import {
  encodeHeader,
  paddingFor,
  type TarHeader,
} from "../../../../src/sandbox-escalation/files/carry/tar-header.ts";
import type { Tree, TreeEntry } from "../../../../src/sandbox-escalation/files/carry/tree.ts";
import type { ExecHost } from "../../../../src/sandbox-escalation/files/exec/exec-agent.ts";
import { FarWorkspace } from "../../../support/far-workspace.ts";

const { signal } = new AbortController();
const facts: TreeEntry = {
  kind: "file",
  mode: 0o644,
  size: 4,
  mtimeMs: 1000,
  ino: 1,
  nlink: 1,
  ctimeMs: 1000,
};

/** A sandbox that answers every program with these bytes. */
function saying(...parts: readonly Uint8Array[]): ExecHost {
  return {
    cwd: "/",
    spawn: async () => ({
      id: "1",
      output: (async function* () {
        yield* parts;
      })(),
      errors: (async function* () {})(),
      ended: Promise.resolve({ status: 0 }),
      writeInput: async () => undefined,
      closeInput: async () => undefined,
      resize: async () => undefined,
      kill: async () => undefined,
    }),
  };
}

function member(name: string, more: Partial<TarHeader> & { text?: string } = {}): Uint8Array {
  const { text = "", ...rest } = more;
  const content = Buffer.from(text);
  const header = encodeHeader({
    type: "file",
    name: Buffer.from(name),
    mode: 0o644,
    size: content.length,
    mtimeMs: 0,
    target: new Uint8Array(0),
    ...rest,
  });
  return Buffer.concat([header, content, paddingFor(content.length)]);
}

async function carry(workspace: FarWorkspace, paths: readonly string[], ...sent: Uint8Array[]) {
  const tree: Tree = new Map(paths.map((path) => [path, facts]));
  return await carryBack(saying(...sent), {
    home: workspace.home,
    tree,
    changes: { changed: paths, removed: [] },
    signal,
  });
}

describe("a stream of files", () => {
  it("gives nothing that was not asked for, wherever it would lie", async () => {
    const workspace = await FarWorkspace.open();
    const outside = join(workspace.farPath, "outside");
    const names = ["../evil", outside, "./a/../../evil", "./other", "", "./", "/", "..", "./good/"];
    const sent = names.map((name) => member(name, { text: "evil" }));
    const { missing } = await carry(workspace, ["good", "absent"], ...sent);
    expect(readdirSync(workspace.homePath)).toEqual(["good"]);
    expect(existsSync(outside)).toBe(false);
    expect([...missing.keys()]).toEqual(["absent"]);
  });

  it("cannot lead out through a link that came before", async () => {
    const workspace = await FarWorkspace.open();
    const target = Buffer.from(workspace.farPath);
    await carry(
      workspace,
      ["a", "a/b", "c"],
      member("./a", { type: "symlink", target }),
      member("./a/b", { text: "evil" }),
      member("./c", { type: "hardlink", target: Buffer.from("./a/../../etc/passwd") }),
    ).catch(() => undefined);
    expect(readdirSync(workspace.farPath)).toEqual([]);
    // The link has given way to the directory that was asked for.
    expect(readFileSync(join(workspace.homePath, "a/b"), "utf8")).toBe("evil");
    expect(existsSync(join(workspace.homePath, "c"))).toBe(false);
  });

  it("does not write through what lies here", async () => {
    const workspace = await FarWorkspace.open();
    const { symlinkSync } = await import("node:fs");
    writeFileSync(join(workspace.farPath, "victim"), "safe");
    symlinkSync(join(workspace.farPath, "victim"), join(workspace.homePath, "file"));
    symlinkSync(workspace.farPath, join(workspace.homePath, "folder"));
    mkdirSync(join(workspace.homePath, "full/of"), { recursive: true });
    await carry(
      workspace,
      ["file", "folder/new", "full"],
      member("./file", { text: "here" }),
      member("./folder/new", { text: "here" }),
      member("./full", { text: "here" }),
    );
    expect(readFileSync(join(workspace.farPath, "victim"), "utf8")).toBe("safe");
    expect(readdirSync(workspace.farPath)).toEqual(["victim"]);
    expect(readFileSync(join(workspace.homePath, "file"), "utf8")).toBe("here");
    expect(readFileSync(join(workspace.homePath, "folder/new"), "utf8")).toBe("here");
    expect(readFileSync(join(workspace.homePath, "full"), "utf8")).toBe("here");
  });

  it.each([
    ["nonsense", [Buffer.alloc(2048, "x")], "is no archive"],
    ["half a header", [Buffer.alloc(100, "x")], "is no archive"],
    ["a file that ends early", [member("./good", { size: 5000, text: "x" })], "is no archive"],
    ["a size that is none", [broken()], "is no archive"],
    ["a name without end", [member("././@LongLink", { size: 2 ** 30 })], ""],
    ["more than it listed", [Buffer.alloc(4 << 20)], "sends more than it listed"],
  ])("fails for %s, and leaves what was here", async (_, sent, words) => {
    const workspace = await FarWorkspace.open();
    writeFileSync(join(workspace.homePath, "good"), "old");
    await carry(workspace, ["good"], ...sent).then(
      ({ missing }) => expect([...missing.keys()]).toEqual(["good"]),
      (error: unknown) => expect(String(error)).toContain(words),
    );
    expect(readFileSync(join(workspace.homePath, "good"), "utf8")).toBe("old");
    expect(readdirSync(workspace.homePath)).toEqual(["good"]);
  });

  it("has names of any length, which take no time", async () => {
    const workspace = await FarWorkspace.open();
    // A pattern for slashes at the end would look at each of them from each of them.
    const long = member(`./${"/".repeat(60_000)}x`, { text: "evil" });
    const some = Array.from({ length: 20 }, () => long);
    const sent = [...some, member("./good", { text: "here" })];
    const many = Array.from({ length: 400 }, (_, i) => `absent-${i}`);
    await carry(workspace, ["good", ...many], ...sent);
    expect(readdirSync(workspace.homePath)).toEqual(["good"]);
  });

  it("keeps set-id bits and owners out", async () => {
    const workspace = await FarWorkspace.open();
    const tree: Tree = new Map([["run", { ...facts, mode: 0o6755 }]]);
    const changes = { changed: ["run"], removed: [] };
    const host = saying(member("./run", { mode: 0o6755, text: "here" }));
    await carryBack(host, { home: workspace.home, tree, changes, signal });
    const { statSync } = await import("node:fs");
    expect(statSync(join(workspace.homePath, "run")).mode & 0o7777).toBe(0o755);
  });
});

describe("a list of files", () => {
  const list = (names: string, stats: string, end = "end") =>
    listSandbox(
      saying(
        Buffer.from(
          [Buffer.from(names), Buffer.from(stats)]
            .map((text) => text.toString("base64"))
            .concat(end)
            .join("\n"),
        ),
      ),
      signal,
    );
  const stat = "81a4 4 1 99 8 1.0 1.0 1.0";

  it("has no paths that lead elsewhere", async () => {
    const names = ["./ok", "./../evil", "/etc/passwd", "./a//b", "./.", "./..", "evil"];
    const tree = await list(
      names.map((name) => `${name}\0`).join(""),
      names.map((name) => `${stat} ${name}\n`).join(""),
    );
    expect([...tree.keys()].filter((path) => !isCarriedPath(path))).toEqual([]);
    expect(tree.has("ok")).toBe(true);
    expect([...tree.keys()].some((path) => path.includes(".."))).toBe(false);
  });

  it("that is not whole is none: nothing is taken for removed", async () => {
    await expect(list("./a\0", `${stat} ./a\n`, "")).rejects.toThrow("cannot be listed");
    await expect(listSandbox(saying(), signal)).rejects.toThrow("cannot be listed");
  });

  it("may come byte by byte", async () => {
    const text = ["./a\0", `${stat} ./a\n`].map((part) => Buffer.from(part).toString("base64"));
    const parts = [...text, "end"].join("\n").split("");
    const tree = await listSandbox(saying(...parts.map((part) => Buffer.from(part))), signal);
    expect([...tree.keys()]).toEqual(["a"]);
  });

  it("has no more names than a workspace may have files, be they names or not", async () => {
    await expect(list("\0".repeat(30_000_000), "")).rejects.toThrow("more than 200000 files");
  });

  it("lets others have their turns while it is read", async () => {
    const names = Array.from({ length: 100_000 }, (_, n) => `./directory/file-${n}`);
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    const listing = list(
      names.map((name) => `${name}\0`).join(""),
      names.map((name) => `${stat} ${name}\n`).join(""),
    );
    setImmediate(count);
    expect((await listing).size).toBe(100_000);
    isOver = true;
    expect(turns).toBeGreaterThan(8);
  });

  it("fails for numbers that are none", async () => {
    await expect(list("./a\0", "81a4 x 1 99 8 1.0 1.0 1.0 ./a\n")).rejects.toThrow("EIO");
  });
});

function broken(): Uint8Array {
  const bytes = Buffer.from(member("./good", { text: "x" }));
  bytes.write("zzzzzzzzzzz", 124, "latin1");
  return bytes;
}
