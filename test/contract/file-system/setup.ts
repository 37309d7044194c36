import { expect, it } from "vitest";
import type { Errno } from "../../../src/kernel/abi/errno.ts";
import { isKernelError } from "../../../src/kernel/abi/kernel-error.ts";
import type { DirectoryEntry, FileKind } from "../../../src/kernel/abi/stat.ts";
import type { Limits, LimitValues } from "../../../src/kernel/limits/limits.ts";
import type { DirectoryName, FileSystem, Inode } from "../../../src/kernel/vfs/file-system.ts";
import { unless } from "../../support/unless.ts";

/** What not every driver can do; a driver that cannot says why. */
export type Capability =
  | "charges limits"
  | "counts links of directories"
  | "devices and fifos"
  | "exact times"
  | "files without a name"
  | "hard links"
  | "holes hold nothing"
  | "names of any bytes"
  | "owners"
  | "writes";

export interface FileSystemUnderTest {
  readonly fs: FileSystem;
  readonly limits: Limits;
  /** Moves the clock that the file system was made with. */
  advance(ms: number): void;
  /** Ends what the file system needs; called after each test. */
  close?(): Promise<void>;
}

export interface FileSystemContract {
  make(limits: Partial<LimitValues>): FileSystemUnderTest | Promise<FileSystemUnderTest>;
  readonly cannot?: Partial<Record<Capability, string>>;
  /** For a driver that takes its time. */
  readonly timeoutMs?: number;
}

/** Tests with a fresh file system each; those that a driver cannot pass are named and skipped. */
export class ContractTests {
  readonly #contract: FileSystemContract;

  constructor(contract: FileSystemContract) {
    this.#contract = contract;
  }

  it(
    name: string,
    test: (at: Tree) => Promise<void>,
    needs: readonly Capability[] = [],
    limits: Partial<LimitValues> = {},
  ): void {
    const reasons = needs.flatMap((need) => this.#contract.cannot?.[need] ?? []);
    const { timeoutMs } = this.#contract;
    it(name, {
      ...unless(...reasons),
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    }, async () => {
      const made = await this.#contract.make(limits);
      try {
        await test(await Tree.in(made));
      } finally {
        await made.close?.();
      }
    });
  }
}

/** Short ways to say what a test does, inside one fresh directory of the file system. */
export class Tree {
  readonly under: FileSystemUnderTest;
  readonly base: Inode;

  constructor(under: FileSystemUnderTest, base: Inode) {
    this.under = under;
    this.base = base;
  }

  static async in(under: FileSystemUnderTest): Promise<Tree> {
    const at = { directory: under.fs.root, name: "contract" };
    return new Tree(under, await under.fs.create(at, newFile("directory")));
  }

  get fs(): FileSystem {
    return this.under.fs;
  }

  name(name: string, directory: Inode = this.base): DirectoryName {
    return { directory, name };
  }

  async make(name: string, kind: FileKind, directory: Inode = this.base): Promise<Inode> {
    return this.fs.create(this.name(name, directory), newFile(kind));
  }

  async file(name: string, content = "", directory: Inode = this.base): Promise<Inode> {
    const inode = await this.make(name, "file", directory);
    if (content !== "") await this.fs.write(inode, bytes(content), 0);
    return inode;
  }

  async directory(name: string, directory: Inode = this.base): Promise<Inode> {
    return this.make(name, "directory", directory);
  }

  async find(name: string, directory: Inode = this.base): Promise<Inode | undefined> {
    return this.fs.lookup(directory, name);
  }

  async read(inode: Inode): Promise<string> {
    const { size } = await this.fs.stat(inode);
    const into = new Uint8Array(size);
    const count = await this.fs.read(inode, into, 0);
    expect(count).toBe(size);
    return new TextDecoder().decode(into);
  }

  async readAt(inode: Inode, offset: number, length: number): Promise<number[]> {
    const into = new Uint8Array(length).fill(0xee);
    const count = await this.fs.read(inode, into, offset);
    return [...into.subarray(0, count)];
  }

  async entries(directory: Inode = this.base, limit = 1000): Promise<DirectoryEntry[]> {
    const entries: DirectoryEntry[] = [];
    let cursor: number | undefined = 0;
    while (cursor !== undefined) {
      const page = await this.fs.list(directory, cursor, limit);
      expect(page.entries.length).toBeLessThanOrEqual(limit);
      entries.push(...page.entries);
      cursor = page.cursor;
    }
    return entries;
  }

  async names(directory: Inode = this.base, limit = 1000): Promise<string[]> {
    const entries = await this.entries(directory, limit);
    return entries.map(({ name }) => name).toSorted();
  }
}

export function newFile(kind: FileKind) {
  const owner = { uid: 0, gid: 0 };
  if (kind === "symlink") return { kind, mode: 0o777, ...owner, target: "over/there" };
  if (kind === "device") return { kind, mode: 0o660, ...owner, rdev: 0x0705 };
  return { kind, mode: kind === "directory" ? 0o755 : 0o644, ...owner };
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Passes when the call fails with a KernelError of this errno. */
export async function expectErrno(call: Promise<unknown>, errno: Errno): Promise<void> {
  const outcome = await call.then(
    () => "no failure",
    (error: unknown) => {
      if (isKernelError(error)) return error.errno;
      throw error;
    },
  );
  expect(outcome).toBe(errno);
}
