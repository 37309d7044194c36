/** One mount of a VM, served to its cell: every call checked against the policy, then done. */
import {
  type Attributes,
  type FileSystem,
  type Inode,
  KernelError,
} from "../../../kernel/index.ts";
import {
  MOUNT_READ_BYTES,
  type MountCall,
  type MountHolds,
  type MountNode,
  type MountResult,
} from "../../wire/mount-requests.ts";
import type { FsOperation, MountPolicy } from "./mount-policy.ts";
import { MountSurveys } from "./mount-surveys.ts";
import { MountWatches, type TellChanges } from "./mount-watches.ts";
import { type Node, NodeTable, pathOf } from "./node-table.ts";

export interface MountReply {
  readonly value: MountResult;
  readonly body: Uint8Array;
  /** Called when the body is on its way: it may be used again. */
  readonly sent?: () => void;
}

export interface MountCallsParts {
  readonly fileSystem: FileSystem;
  readonly policy: MountPolicy;
  readonly isReadOnly: boolean;
  readonly tell: TellChanges;
}

type Call<C extends MountCall["call"]> = Extract<MountCall, { call: C }>;
type MountName = Call<"unlink">["at"];

/** Kept for the next reads, of either size: what a few readers in order need. */
const BUFFERS_LIMIT = 4;
const SMALL_BYTES = 1 << 18;
const NOTHING = new Uint8Array(0);
const DONE: MountReply = { value: {}, body: NOTHING };

export class MountCalls {
  readonly #fileSystem: FileSystem;
  readonly #policy: MountPolicy;
  readonly #isReadOnly: boolean;
  readonly nodes: NodeTable;
  readonly #watches: MountWatches;
  readonly #surveys: MountSurveys;
  /** To read into. Large buffers are not left to the garbage: collecting them takes longer than reading. */
  readonly #buffers: Uint8Array[] = [];
  readonly #largeBuffers: Uint8Array[] = [];

  constructor({ fileSystem, policy, isReadOnly, tell }: MountCallsParts) {
    this.#fileSystem = fileSystem;
    this.#policy = policy;
    this.#isReadOnly = isReadOnly || fileSystem.isReadOnly;
    this.nodes = new NodeTable(fileSystem);
    this.#watches = new MountWatches(fileSystem, this.nodes, tell);
    this.#surveys = new MountSurveys({ fileSystem, nodes: this.nodes, policy });
  }

  /** The cell is gone. */
  close(): void {
    this.#watches.close();
    this.#surveys.close();
    this.nodes.close();
  }

  /** What cannot be held or released is passed over: the cell learns of it when it uses the file. */
  keep({ hold = [], release = [] }: MountHolds): void {
    for (const node of hold) attempt(() => this.nodes.hold(node));
    for (const node of release) attempt(() => this.nodes.release(node));
  }

  /** Looks only: changes go to `change`. */
  async look(request: MountCall): Promise<MountReply | undefined> {
    switch (request.call) {
      case "lookup":
        return this.#lookup(request);
      case "survey":
        return this.#surveys.survey(request);
      case "contents":
        return this.#surveys.contents(request.nodes);
      case "changes":
        return this.#surveys.changes();
      case "stat":
        return valueOf({ stat: await this.#fileSystem.stat(this.#known(request.node)) });
      case "readlink":
        return this.#readlink(request);
      case "read":
        return this.#read(request);
      case "statFs":
        return valueOf({ facts: await this.#fileSystem.statFs() });
      case "none":
        return DONE;
      case "watch":
        this.#policy.require(pathOf(this.nodes.get(request.node)), "read");
        this.#watches.begin(request.node);
        return DONE;
      case "unwatch":
        this.#watches.end(request.node);
        return DONE;
      default:
        return undefined;
    }
  }

  /** EROFS on a read-only mount. */
  async change(request: MountCall, body: Uint8Array): Promise<MountReply> {
    if (request.call === "sync") {
      await this.#fileSystem.sync();
      return DONE;
    }
    if (this.#isReadOnly) throw new KernelError("EROFS");
    switch (request.call) {
      case "write":
        return this.#write(request, body);
      case "truncate":
        await this.#fileSystem.truncate(
          this.#file(request.node, "truncate", "write"),
          request.size,
        );
        return DONE;
      case "change":
        return this.#change(request);
      case "create":
        return this.#create(request);
      case "link":
        return this.#link(request);
      case "unlink":
        await this.#fileSystem.unlink(this.#name(request.at, "rm"));
        return DONE;
      case "rmdir":
        await this.#fileSystem.rmdir(this.#name(request.at, "rm"));
        return DONE;
      case "rename":
        return this.#rename(request);
      default:
        throw new KernelError("ENOSYS");
    }
  }

  async #lookup({ at, content = 0 }: Call<"lookup">): Promise<MountReply> {
    const parent = this.nodes.getDirectory(at.node);
    const inode = await this.#fileSystem.lookup(parent.inode, at.name, content > 0);
    if (inode === undefined) return DONE;
    this.#policy.requireKnowing(`${pathOf(parent)}/${at.name}`, inode);
    const found = await this.#found(inode, parent, at.name);
    const { node = 0, stat } = found.value.found ?? {};
    if (stat?.kind !== "file" || stat.size === 0 || stat.size > content) return found;
    return { ...found, ...(await this.#bring(node, stat.size)) };
  }

  /** All of a file, or nothing: whoever wants it asks for it, and is told. */
  async #bring(node: number, length: number): Promise<Omit<MountReply, "value">> {
    try {
      const { value: _, ...brought } = await this.#read({ call: "read", node, offset: 0, length });
      return brought;
    } catch (error) {
      if (error instanceof KernelError) return { body: NOTHING };
      throw error;
    }
  }

  async #found(inode: Inode, parent: Node, name: string): Promise<MountReply> {
    const stat = await this.#fileSystem.stat(inode);
    const { id } = this.nodes.add(inode, parent, name);
    const found: MountNode = { node: id, stat };
    return valueOf({ found });
  }

  async #readlink({ node }: Call<"readlink">): Promise<MountReply> {
    const inode = this.#known(node);
    if (inode.kind !== "symlink") throw new KernelError("EINVAL");
    return valueOf({ target: await this.#fileSystem.readlink(inode, 1) });
  }

  async #read({ node, offset, length }: Call<"read">): Promise<MountReply> {
    const inode = this.#file(node, "read");
    const isSmall = length <= SMALL_BYTES;
    const buffers = isSmall ? this.#buffers : this.#largeBuffers;
    const buffer = buffers.pop() ?? new Uint8Array(isSmall ? SMALL_BYTES : MOUNT_READ_BYTES);
    const giveBack = (): void => {
      if (buffers.length < BUFFERS_LIMIT) buffers.push(buffer);
    };
    try {
      const count = await this.#fileSystem.read(inode, buffer.subarray(0, length), offset);
      return { value: {}, body: buffer.subarray(0, count), sent: giveBack };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async #write({ node, offset }: Call<"write">, body: Uint8Array): Promise<MountReply> {
    const inode = this.#file(node, "write");
    return valueOf({ offset: await this.#fileSystem.write(inode, body, offset) });
  }

  async #change({ node, changes }: Call<"change">): Promise<MountReply> {
    const known = this.nodes.get(node);
    this.#policy.require(pathOf(known), "chmod", "write");
    await this.#fileSystem.setAttributes(known.inode, attributesOf(changes));
    return DONE;
  }

  async #create({ at, file }: Call<"create">): Promise<MountReply> {
    const operation = { directory: "create_dir", symlink: "symlink" } as const;
    const needed =
      file.kind === "directory" || file.kind === "symlink" ? operation[file.kind] : "write";
    const name = this.#name(at, needed);
    const { target, rdev, ...rest } = file;
    const inode = await this.#fileSystem.create(name, {
      ...rest,
      ...(target === undefined ? {} : { target }),
      ...(rdev === undefined ? {} : { rdev }),
    });
    return this.#found(inode, this.nodes.get(at.node), at.name);
  }

  async #link({ at, node }: Call<"link">): Promise<MountReply> {
    const inode = this.#known(node);
    if (inode.kind === "directory") throw new KernelError("EPERM");
    this.#policy.require(pathOf(this.nodes.get(node)), "write");
    await this.#fileSystem.link(this.#name(at, "write"), inode);
    return DONE;
  }

  async #rename({ at, to, expected }: Call<"rename">): Promise<MountReply> {
    const from = this.#name(at, "rename");
    const target = this.#name(to, "rename");
    const moved = expected === undefined ? undefined : this.#known(expected);
    await this.#fileSystem.rename(from, target, moved);
    const inode = moved ?? (await this.#fileSystem.lookup(target.directory, target.name));
    if (inode !== undefined) this.nodes.moved(inode, this.nodes.get(to.node), to.name);
    return DONE;
  }

  /** The file behind a number, if the policy lets the VM know of it. */
  #known(id: number): Inode {
    const node = this.nodes.get(id);
    this.#policy.requireKnowing(pathOf(node), node.inode);
    return node.inode;
  }

  /** A file with content. EISDIR; EINVAL for what has none. */
  #file(id: number, ...operations: readonly [FsOperation, ...FsOperation[]]): Inode {
    const node = this.nodes.get(id);
    if (node.inode.kind === "directory") throw new KernelError("EISDIR");
    if (node.inode.kind !== "file") throw new KernelError("EINVAL");
    this.#policy.require(pathOf(node), ...operations);
    return node.inode;
  }

  #name({ node, name }: MountName, operation: FsOperation): { directory: Inode; name: string } {
    const directory = this.nodes.getDirectory(node);
    this.#policy.require(`${pathOf(directory)}/${name}`, operation);
    return { directory: directory.inode, name };
  }
}

function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
  }
}

function valueOf(value: MountResult): MountReply {
  return { value, body: NOTHING };
}

/** Without what is left out: a driver takes an undefined mode for one. */
function attributesOf(changes: Call<"change">["changes"]): Attributes {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
