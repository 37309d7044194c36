import {
  type Errno,
  encodeText,
  type FileKind,
  type Inode,
  KernelError,
  KnownInodes,
  type Stat,
} from "../../../kernel/index.ts";

/** One file of a sandbox, and the name by which it was last found. */
export class ExecFile implements Inode {
  readonly ino: number;
  readonly kind: FileKind;
  /** Undefined for the root. */
  parent: ExecFile | undefined;
  name: string;
  last: Stat | undefined;
  /** Until when that is believed, and in which epoch. */
  fresh: { readonly untilMs: number; readonly epoch: number } | undefined;

  constructor(facts: Inode, parent: ExecFile | undefined, name: string) {
    this.ino = facts.ino;
    this.kind = facts.kind;
    this.parent = parent;
    this.name = name;
  }
}

/** No file of Linux has this number. */
const ROOT_INO = 0;
/** Linux's PATH_MAX, with its NUL. */
const PATH_LIMIT = 4096;
const NAME_LIMIT = 255;

/** Which file of a sandbox lies at which path. */
export class ExecPaths {
  readonly root = new ExecFile({ ino: ROOT_INO, kind: "directory" }, undefined, "");
  readonly #known = new KnownInodes<string, ExecFile>();

  /** The file that was found at a name: the same object for the same file. */
  take(facts: Stat, parent: ExecFile, name: string): ExecFile {
    const known = this.#known.get(keyOf(facts));
    const file = known ?? new ExecFile(facts, parent, name);
    file.parent = parent;
    file.name = name;
    file.last = facts;
    if (known === undefined) this.#known.set(keyOf(facts), file);
    return file;
  }

  /** Its last name is gone: another file may get its number. */
  forget(facts: Inode): void {
    this.#known.delete(keyOf(facts));
  }

  /** Fails unless these are the file's facts: its name leads elsewhere by now. */
  require(file: ExecFile, facts: Inode, errno: Errno = "ESTALE"): void {
    if (keyOf(file) !== keyOf(facts)) throw new KernelError(errno);
  }

  /** A path from the workspace, `./` first. */
  pathOf(file: ExecFile): Uint8Array {
    const names: string[] = [];
    for (let at = file; at.parent !== undefined; at = at.parent) {
      names.push(at.name);
      if (names.length > PATH_LIMIT) throw new KernelError("ELOOP");
    }
    const path = encodeText([".", ...names.reverse()].join("/"));
    if (path.length >= PATH_LIMIT) throw new KernelError("ENAMETOOLONG");
    return path;
  }

  /** EINVAL for what is no name. */
  pathIn(directory: ExecFile, name: string): Uint8Array {
    const isName = name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
    if (!isName) throw new KernelError("EINVAL");
    if (encodeText(name).length > NAME_LIMIT) throw new KernelError("ENAMETOOLONG");
    return Buffer.concat([this.pathOf(directory), Buffer.from("/"), encodeText(name)]);
  }
}

function keyOf({ ino, kind }: Inode): string {
  return `${ino}:${kind}`;
}
