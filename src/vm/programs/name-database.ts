import { decodeText, isKernelError, O_CLOEXEC, O_RDONLY, type Sys } from "../../kernel/index.ts";

export interface UserRow {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

export interface GroupRow {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

/** /etc/passwd and /etc/group, each read once. */
export class NameDatabase {
  readonly #sys: Sys;
  #users: readonly UserRow[] | undefined;
  #groups: readonly GroupRow[] | undefined;

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  async users(): Promise<readonly UserRow[]> {
    this.#users ??= (await readRows(this.#sys, "/etc/passwd")).map(
      ([name = "", , uid = "", gid = "", , home = "", shell = ""]) => ({
        name,
        uid: Number(uid),
        gid: Number(gid),
        home,
        shell,
      }),
    );
    return this.#users;
  }

  async groups(): Promise<readonly GroupRow[]> {
    this.#groups ??= (await readRows(this.#sys, "/etc/group")).map(
      ([name = "", , gid = "", members = ""]) => ({
        name,
        gid: Number(gid),
        members: members.split(",").filter((member) => member !== ""),
      }),
    );
    return this.#groups;
  }

  async findUser(key: string | number): Promise<UserRow | undefined> {
    return (await this.users()).find((row) => row.name === key || row.uid === key);
  }

  async findGroup(key: string | number): Promise<GroupRow | undefined> {
    return (await this.groups()).find((row) => row.name === key || row.gid === key);
  }

  /** The name of a uid, or the number where it has none. */
  async userName(uid: number): Promise<string> {
    return (await this.findUser(uid))?.name ?? String(uid);
  }

  async groupName(gid: number): Promise<string> {
    return (await this.findGroup(gid))?.name ?? String(gid);
  }
}

async function readRows(sys: Sys, path: string): Promise<string[][]> {
  const text = await readSmallFile(sys, path);
  return (text ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(":"));
}

/** A file's text; undefined where it cannot be read. */
export async function readSmallFile(sys: Sys, path: string): Promise<string | undefined> {
  try {
    const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
    try {
      let text = "";
      const buffer = new Uint8Array(16_384);
      for (let count = await sys.read(fd, buffer); count > 0; count = await sys.read(fd, buffer)) {
        text += decodeText(buffer.subarray(0, count));
      }
      return text;
    } finally {
      await sys.close(fd);
    }
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}
