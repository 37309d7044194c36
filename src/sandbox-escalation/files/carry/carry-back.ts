import { decodeText, type FileSystem, isKernelError } from "../../../kernel/index.ts";
import { SandboxError } from "../../provider.ts";
import type { ExecHost } from "../exec/exec-agent.ts";
import { ByteSource } from "./byte-source.ts";
import { isCarriedPath } from "./carried-path.ts";
import { listNames } from "./carry-out.ts";
import { readTar, type TarMember } from "./read-tar.ts";
import { runThere } from "./run-there.ts";
import { parentOf, type Tree, type TreeChanges, type TreeEntry } from "./tree.ts";
import { WorkspaceWriter } from "./workspace-writer.ts";

export interface CarryBack {
  readonly home: FileSystem;
  /** What the sandbox holds. */
  readonly tree: Tree;
  readonly changes: TreeChanges;
  readonly signal: AbortSignal;
}

export interface CarriedBack {
  /** What is here now as it is there, by path: how it looks here. */
  readonly here: ReadonlyMap<string, TreeEntry>;
  readonly bytes: number;
  /** What is not, and why. */
  readonly missing: ReadonlyMap<string, string>;
}

/** What a member takes beside its content. */
const HEADER_BYTES = 8192;
/** Longer than any path with `./` before it and `/` behind it. */
const NAME_BYTES = 4096 + 2;
/** Files grow while they are read. */
const GROWTH = 2;

/**
 * Brings changed files of a sandbox here in one stream, and removes here what was removed there. The stream is the
 * sandbox's word: only what was asked for is taken, and no more of it than was listed. A file that cannot be
 * written is missing; the others come all the same. SandboxError when the stream fails.
 */
export async function carryBack(host: ExecHost, carry: CarryBack): Promise<CarriedBack> {
  const back = new Back(carry);
  await back.removeGone();
  if (carry.changes.changed.length > 0) await back.receive(host);
  return await back.finish();
}

class Back {
  readonly #carry: CarryBack;
  readonly #writer: WorkspaceWriter;
  readonly #wanted: Set<string>;
  readonly #arrived: string[] = [];
  /** Directories that will look as they do there. */
  readonly #kept = new Set<string>();
  readonly #missing = new Map<string, string>();
  #bytes = 0;

  constructor(carry: CarryBack) {
    this.#carry = carry;
    this.#writer = new WorkspaceWriter(carry.home);
    this.#wanted = new Set(carry.changes.changed);
  }

  async removeGone(): Promise<void> {
    for (const path of this.#carry.changes.removed) {
      this.#carry.signal.throwIfAborted();
      await this.#attempt(path, () => this.#writer.remove(path));
    }
  }

  async receive(host: ExecHost): Promise<void> {
    const source = new ByteSource();
    const limit = this.#streamLimit();
    let total = 0;
    const argv = ["xargs", "-0", "tar", "-c", "-f", "-", "--no-recursion", "--"];
    const input = listNames(this.#carry.changes.changed);
    const sending = runThere(host, {
      argv,
      input,
      signal: this.#carry.signal,
      take: async (bytes) => {
        total += bytes.length;
        if (total > limit) throw new SandboxError("limit", "the sandbox sends more than it listed");
        await source.put(bytes);
      },
    }).then(
      () => source.end(),
      (error: unknown) => {
        source.fail(asError(error));
        throw error;
      },
    );
    const taking = this.#takeAll(source).catch((error: unknown) => {
      source.fail(asError(error));
      throw error;
    });
    const [taken, sent] = await Promise.allSettled([taking, sending]);
    // What went wrong first is what the other failed of.
    if (taken.status === "rejected") throw taken.reason;
    if (sent.status === "rejected") throw sent.reason;
  }

  async finish(): Promise<CarriedBack> {
    await this.#writer.finish();
    const here = new Map<string, TreeEntry>();
    for (const path of [...this.#writer.touchedDirectories, ...this.#arrived]) {
      const entry = await this.#writer.look(path);
      if (entry !== undefined) here.set(path, entry);
    }
    for (const path of this.#wanted) this.#missing.set(path, "it changed or went meanwhile");
    return { here, bytes: this.#bytes, missing: this.#missing };
  }

  /** Zeros at the ends of archives are no content; names may be long. */
  #streamLimit(): number {
    const { changes, tree } = this.#carry;
    const sizes = changes.changed.map(
      (path) => (tree.get(path)?.size ?? 0) * GROWTH + HEADER_BYTES,
    );
    return sizes.reduce((sum, size) => sum + size, 64 * HEADER_BYTES);
  }

  async #takeAll(source: ByteSource): Promise<void> {
    for await (const member of readTar(source)) {
      this.#carry.signal.throwIfAborted();
      const path = pathOf(member.name);
      if (!this.#wanted.delete(path)) continue;
      const entry = this.#carry.tree.get(path);
      if (entry === undefined) continue;
      this.#bytes += member.size;
      if (await this.#attempt(path, () => this.#write(path, entry, member)))
        this.#arrived.push(path);
    }
  }

  async #write(path: string, entry: TreeEntry, member: TarMember): Promise<void> {
    switch (member.type) {
      case "directory":
        return await this.#writer.directory(path, entry);
      case "symlink":
        return await this.#writer.symlink(path, entry, decodeText(member.target));
      case "hardlink":
        return await this.#link(path, member);
      case "file":
        await this.#writer.file(path, entry, member.content);
        return this.#keepParents(path);
    }
  }

  async #link(path: string, member: TarMember): Promise<void> {
    const other = pathOf(member.target);
    if (!isCarriedPath(other)) throw new SandboxError("failed", "a link that leads nowhere");
    await this.#writer.link(path, other);
    return this.#keepParents(path);
  }

  /** Directories on the way look in the end as they do there. */
  async #keepParents(path: string): Promise<void> {
    for (let at = parentOf(path); at !== undefined && !this.#kept.has(at); at = parentOf(at)) {
      this.#kept.add(at);
      const entry = this.#carry.tree.get(at);
      if (entry !== undefined) await this.#writer.directory(at, entry);
    }
  }

  /** Whether it worked; what the workspace refuses is missing, all else ends the carrying. */
  async #attempt(path: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      this.#missing.set(path, error.reason ?? error.message);
      return false;
    }
  }
}

/** Undefined-like for what is none of ours: no such path was asked for. */
function pathOf(name: Uint8Array): string {
  if (name.length > NAME_BYTES) return "";
  return decodeText(name).replace(/^\.\//, "").replace(/\/$/, "");
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
