import { describe, expect, it } from "vitest";
import { KernelError } from "../../../../src/kernel/abi/kernel-error.ts";
import { MemoryFileSystem } from "../../../../src/kernel/filesystems/memory-file-system.ts";
import { Policy } from "../../../../src/kernel/permissions/policy.ts";
import type { OutsideChange } from "../../../../src/kernel/vfs/file-system.ts";
import { AnswerInTime } from "../../../../src/vm/broker/mounts/answer-in-time.ts";
import { MountService } from "../../../../src/vm/broker/mounts/mount-service.ts";
import { parseRequest } from "../../../../src/vm/wire/broker-methods.ts";
import {
  MOUNT_READ_BYTES,
  type MountCall,
  type MountHolds,
  ROOT_NODE,
} from "../../../../src/vm/wire/mount-requests.ts";
import { decodeSurvey } from "../../../../src/vm/wire/survey-body.ts";
import { bytes, expectErrno } from "../../../contract/file-system/setup.ts";

const owner = { mode: 0o755, uid: 0, gid: 0 } as const;

class CountingFileSystem extends MemoryFileSystem {
  held = 0;
  tell: ((change: OutsideChange) => void) | undefined;

  override retain(inode: Parameters<MemoryFileSystem["retain"]>[0]): void {
    this.held += 1;
    super.retain(inode);
  }

  override release(inode: Parameters<MemoryFileSystem["release"]>[0]): void {
    this.held -= 1;
    super.release(inode);
  }

  watch(_: unknown, tell: (change: OutsideChange) => void): () => void {
    this.tell = tell;
    return () => {
      this.tell = undefined;
    };
  }
}

function make({ policy = new Policy({ fs: "allow" }), isReadOnly = false } = {}) {
  const fileSystem = new CountingFileSystem({ now: () => 0 });
  const told: unknown[] = [];
  const service = new MountService({
    mounts: [{ at: "/mnt", fileSystem, isReadOnly }],
    policy,
    canAsk: false,
    tell: (message) => told.push(message),
  });
  const call = (request: MountCall, body: Uint8Array = new Uint8Array(0)) =>
    service.call({ mount: 0, request }, body);
  const create = async (name: string, kind: "file" | "directory", node = ROOT_NODE) => {
    const { value } = await call({ call: "create", at: { node, name }, file: { kind, ...owner } });
    return value.found?.node ?? -1;
  };
  const keep = (holds: MountHolds) =>
    service.call({ mount: 0, request: { call: "none" }, ...holds }, new Uint8Array(0));
  return { fileSystem, service, call, create, keep, told };
}

describe("MountService", () => {
  it("knows no file that the cell was not told of, and no mount that the VM has not", async () => {
    const { call, service } = make();
    for (const node of [1, 99, 2 ** 40]) {
      await expectErrno(call({ call: "stat", node }), "ESTALE");
      await expectErrno(call({ call: "watch", node }), "ESTALE");
    }
    const request = { call: "statFs" } as const;
    await expectErrno(service.call({ mount: 1, request }, new Uint8Array(0)), "ENODEV");
  });

  it("takes files for what they are, whatever the cell takes them for", async () => {
    const { call, create } = make();
    const file = await create("file", "file");
    const directory = await create("directory", "directory");
    const at = { node: file, name: "x" };
    await expectErrno(call({ call: "lookup", at }), "ENOTDIR");
    await expectErrno(call({ call: "survey", nodes: [file], cursor: 0 }), "ENOTDIR");
    await expectErrno(call({ call: "unlink", at }), "ENOTDIR");
    await expectErrno(call({ call: "read", node: directory, offset: 0, length: 1 }), "EISDIR");
    await expectErrno(call({ call: "write", node: directory, offset: 0 }, bytes("x")), "EISDIR");
    await expectErrno(call({ call: "readlink", node: file }), "EINVAL");
    const to = { node: ROOT_NODE, name: "second" };
    await expectErrno(call({ call: "link", at: to, node: directory }), "EPERM");
  });

  it("lets the cell release only what it holds, and holds nothing for a cell that is gone", async () => {
    const { call, create, fileSystem, keep, service } = make();
    const file = await create("file", "file");
    await keep({ release: [file, ROOT_NODE, 99] });
    expect(fileSystem.held).toBe(0);
    await keep({ hold: [file, 99, file, file] });
    await keep({ hold: [], release: [file, ROOT_NODE] });
    expect(fileSystem.held).toBe(2);
    await call({ call: "watch", node: ROOT_NODE });
    expect(fileSystem.held).toBe(3);
    service.close();
    expect([fileSystem.held, fileSystem.tell]).toEqual([0, undefined]);
    await expectErrno(call({ call: "stat", node: file }), "ESTALE");
  });

  it("checks the policy again, by the path that the file has", async () => {
    const denied = [{ mode: "deny", paths: ["/mnt/secret", "/mnt/secret/**"] }] as const;
    const { call, create, fileSystem } = make({
      policy: new Policy({ fs: { default: "allow", rules: denied } }),
    });
    const at = { directory: fileSystem.root, name: "secret" };
    const secret = await fileSystem.create(at, { kind: "directory", ...owner });
    await fileSystem.create({ directory: secret, name: "key" }, { kind: "file", ...owner });
    const found = await call({ call: "lookup", at: { node: ROOT_NODE, name: "secret" } });
    const node = found.value.found?.node ?? -1;
    const key = { node, name: "key" };
    await expectErrno(call({ call: "lookup", at: key }), "EACCES");
    await expectErrno(call({ call: "survey", nodes: [node], cursor: 0 }), "EACCES");
    await expectErrno(create("new", "file", node), "EACCES");
    await expectErrno(call({ call: "unlink", at: key }), "EACCES");
    const out = { node: ROOT_NODE, name: "out" };
    await expectErrno(call({ call: "rename", at: key, to: out }), "EACCES");
    const moved = { node: ROOT_NODE, name: "secret" };
    await expectErrno(call({ call: "rename", at: moved, to: out }), "EACCES");
    const file = await create("file", "file");
    await expectErrno(call({ call: "link", at: { node, name: "in" }, node: file }), "EACCES");
    await call({ call: "write", node: file, offset: 0 }, bytes("x"));
  });

  it("has a file come along only if it may be read, and is not larger than that", async () => {
    const rules = [{ mode: "deny", operations: ["read"], paths: ["/mnt/secret"] }] as const;
    const { call, create } = make({
      policy: new Policy({ fs: { default: "allow", rules } }),
    });
    for (const name of ["secret", "open"]) {
      const node = await create(name, "file");
      await call({ call: "write", node, offset: 0 }, bytes("content"));
    }
    const find = async (name: string, content?: number): Promise<unknown[]> => {
      const { value, body } = await call({
        call: "lookup",
        at: { node: ROOT_NODE, name },
        content,
      });
      return [value.found?.stat.size, Buffer.from(body).toString()];
    };
    expect(await find("open", 7)).toEqual([7, "content"]);
    expect(await find("open", 6)).toEqual([7, ""]);
    expect(await find("open")).toEqual([7, ""]);
    expect(await find("secret", 100)).toEqual([7, ""]);
  });

  it("says nothing of names that may not be known, among many", async () => {
    const denied = [{ mode: "deny", operations: ["*"], paths: ["/mnt/secret"] }] as const;
    const { call, create, fileSystem } = make({
      policy: new Policy({ fs: { default: "allow", rules: denied } }),
    });
    const secret = { directory: fileSystem.root, name: "secret" };
    await fileSystem.create(secret, { kind: "file", ...owner });
    await create("open", "file");
    const surveyed = await call({ call: "survey", nodes: [ROOT_NODE], cursor: 0 });
    const names = decodeSurvey(surveyed.body)[0]?.names ?? [];
    const shown = new Map(names.map(({ name, node, stat }) => [name, node && stat.size]));
    expect(shown).toEqual(
      new Map([
        ["open", 0],
        ["secret", undefined],
      ]),
    );
    const file = names.find(({ name }) => name === "open")?.node ?? -1;
    await expectErrno(call({ call: "survey", nodes: [file], cursor: 0 }), "ENOTDIR");
    await expectErrno(call({ call: "survey", nodes: [9999], cursor: 0 }), "ESTALE");
    const others = await call({ call: "survey", nodes: [ROOT_NODE, file, 9999], cursor: 0 });
    expect(decodeSurvey(others.body).map(({ node }) => node)).toEqual([ROOT_NODE]);
  });

  it("surveys no more than a reply has room for, however long the names are", async () => {
    const { call, create } = make();
    const nodes = [ROOT_NODE];
    const fill = async (node: number, count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await create(`${i}`.padStart(85, "\u20ac"), "file", node);
    };
    for (let i = 0; i < 8; i++) {
      const node = await create(`d${i}`, "directory");
      nodes.push(node);
      await fill(node, 250);
    }
    await fill(ROOT_NODE, 1500);
    const { body } = await call({ call: "survey", nodes, cursor: 0 });
    expect(body.length).toBeLessThan(MOUNT_READ_BYTES);
    const surveyed = decodeSurvey(body);
    expect(surveyed.length).toBeGreaterThan(1);
    expect(surveyed.find(({ node }) => node === ROOT_NODE)?.cursor).toBeGreaterThan(0);
  });

  it("reads many files at one time, but for those that may not be read or are no files", async () => {
    const rules = [{ mode: "deny", operations: ["read"], paths: ["/mnt/secret"] }] as const;
    const { call, create } = make({ policy: new Policy({ fs: { default: "allow", rules } }) });
    const nodes: number[] = [];
    for (const name of ["secret", "one", "empty", "three"]) {
      const node = await create(name, "file");
      const content = bytes(name === "empty" ? "" : name);
      await call({ call: "write", node, offset: 0 }, content);
      nodes.push(node);
    }
    nodes.push(ROOT_NODE, 9999);
    const { value, body } = await call({ call: "contents", nodes });
    expect(value.lengths).toEqual([-1, 3, -1, 5, -1, -1]);
    expect(Buffer.from(body).toString()).toBe("onethree");
  });

  it("tells a cell that anything may have changed, and forgets what it was to be told", async () => {
    const changed = [undefined, []];
    const fileSystem = Object.assign(new MemoryFileSystem({ now: () => 0 }), {
      follow: () => ({
        survey: async () => Promise.reject(new KernelError("EIO")),
        surveyWhole: async () => [],
        contents: async () => ({ lengths: [], bytes: new Uint8Array(0) }),
        changes: async () => changed.shift(),
        close: () => undefined,
      }),
    });
    const mounts = [{ at: "/mnt", fileSystem }];
    const policy = new Policy({ fs: "allow" });
    const service = new MountService({ mounts, policy, canAsk: false, tell: () => undefined });
    const request = { call: "changes" } as const;
    const ask = () => service.call({ mount: 0, request }, new Uint8Array(0));
    expect((await ask()).value).toEqual({ isAnything: true });
    expect((await ask()).value).toEqual({});
  });

  it("goes by the new path of what was moved", async () => {
    const denied = [{ mode: "deny", operations: ["read"], paths: ["/mnt/to/**"] }] as const;
    const { call, create } = make({
      policy: new Policy({ fs: { default: "allow", rules: denied } }),
    });
    const from = await create("from", "directory");
    const file = await create("file", "file", from);
    const read = { call: "read", node: file, offset: 0, length: 1 } as const;
    await call(read);
    const to = { node: ROOT_NODE, name: "to" };
    await call({ call: "rename", at: { node: ROOT_NODE, name: "from" }, to });
    await expectErrno(call(read), "EACCES");
  });

  it("changes nothing on a read-only mount", async () => {
    const { call, fileSystem } = make({ isReadOnly: true });
    const at = { node: ROOT_NODE, name: "new" };
    const file = { kind: "file", ...owner } as const;
    await expectErrno(call({ call: "create", at, file }), "EROFS");
    await expectErrno(call({ call: "change", node: ROOT_NODE, changes: { mode: 0 } }), "EROFS");
    expect((await fileSystem.list(fileSystem.root, 0, 9)).entries).toEqual([]);
  });

  it("forgets the least used of very many files, never those that are held", async () => {
    const { call, create, keep } = make();
    const held = await create("held", "file");
    const idle = await create("idle", "file");
    await keep({ hold: [held] });
    for (let i = 0; i < 16_500; i++) await create(`f${i}`, "file");
    await call({ call: "stat", node: held });
    await expectErrno(call({ call: "stat", node: idle }), "ESTALE");
  });
});

describe("what a cell may ask of mounts", () => {
  const taken = { call: "lookup", at: { node: 0, name: "a" } };

  it("is taken in its shape", () => {
    const whole = { mount: 0, request: taken, hold: [1], release: [2, 3] };
    expect(parseRequest("mount.call", whole)).toBeDefined();
    const many = Array.from({ length: 257 }, (_, i) => i);
    for (const wrong of [{ hold: many }, { release: many }, { hold: [-1] }, { release: ["1"] }]) {
      expect(parseRequest("mount.call", { mount: 0, request: taken, ...wrong })).toBeUndefined();
    }
  });

  it.each([
    ["a path for a name", { ...taken, at: { node: 0, name: "a/b" } }],
    ["..", { ...taken, at: { node: 0, name: ".." } }],
    [".", { ...taken, at: { node: 0, name: "." } }],
    ["no name", { ...taken, at: { node: 0, name: "" } }],
    ["a NUL", { ...taken, at: { node: 0, name: "a\0" } }],
    ["a long name", { ...taken, at: { node: 0, name: "é".repeat(128) } }],
    ["a negative number", { ...taken, at: { node: -1, name: "a" } }],
    ["a fraction", { call: "stat", node: 0.5 }],
    ["more than a body", { call: "read", node: 0, offset: 0, length: MOUNT_READ_BYTES + 1 }],
    ["nothing", { call: "read", node: 0, offset: 0, length: 0 }],
    ["a page too long", { call: "survey", nodes: [0], cursor: 0, limit: 257 }],
    ["a page of nothing", { call: "survey", nodes: [0], cursor: 0, limit: 0 }],
    ["no directories", { call: "survey", nodes: [], cursor: 0 }],
    ["directories too many", { call: "survey", nodes: Array(65).fill(0), cursor: 0 }],
    ["a cursor that is none", { call: "survey", nodes: [0], cursor: -1 }],
    ["no files", { call: "contents", nodes: [] }],
    ["files too many", { call: "contents", nodes: Array(257).fill(0) }],
    ["a name for a file", { call: "contents", nodes: ["a"] }],
    ["changes of a file", { call: "changes", node: 0 }],
    ["a mode that is none", { call: "change", node: 0, changes: { mode: 0o10000 } }],
    ["a time that is none", { call: "change", node: 0, changes: { mtimeMs: 1e300 } }],
    ["more than it says", { ...taken, path: "/etc" }],
    ["another call", { call: "openDevice", node: 0 }],
  ])("is not %s", (_, request) => {
    expect(parseRequest("mount.call", { mount: 0, request })).toBeUndefined();
  });
});

describe("AnswerInTime", () => {
  it("gives up on what is late, and begins nothing while too much goes on", async () => {
    const inTime = new AnswerInTime(5);
    const ends: (() => void)[] = [];
    const hanging = () => new Promise<void>((resolve) => ends.push(resolve));
    await Promise.all(
      Array.from({ length: 16 }, () => expectErrno(inTime.answer(hanging), "ETIMEDOUT")),
    );
    await expectErrno(inTime.answer(hanging), "EIO");
    expect(ends.length).toBe(16);
    for (const end of ends) end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await inTime.answer(async () => "answered")).toBe("answered");
  });
});
