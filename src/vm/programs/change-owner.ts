/** What `chown` and `chgrp` share: walking the files, giving them away, saying what was done. */
import { isKernelError, type Stat } from "../../kernel/index.ts";
import { joinPath, readDirectory } from "./directory.ts";
import { NameDatabase } from "./name-database.ts";
import { type OptionRow, UsageError } from "./options.ts";
import { errorWords, quoteName, type Run } from "./program.ts";

/** -1 keeps what is. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

type Kind = "group" | "ownership";

const fromOption: OptionRow = {
  long: "from",
  value: "CURRENT_OWNER:CURRENT_GROUP",
  help: "change the owner and group only where they are those named",
};

export function ownerOptions(kind: Kind): readonly OptionRow[] {
  const what = kind === "group" ? "group" : "owner and group";
  return [
    { short: "c", long: "changes", help: "like verbose but report only when a change is made" },
    { short: "f", long: "silent", help: "suppress most error messages" },
    { long: "quiet", help: "suppress most error messages" },
    { short: "v", long: "verbose", help: "output a diagnostic for every file processed" },
    { long: "dereference", help: "affect the referent of each symbolic link" },
    {
      short: "h",
      long: "no-dereference",
      help: "affect symbolic links instead of any referenced file",
    },
    { long: "no-preserve-root", help: "do not treat '/' specially (the default)" },
    { long: "preserve-root", help: "fail to operate recursively on '/'" },
    ...(kind === "group" ? [] : [fromOption]),
    { long: "reference", value: "RFILE", help: `use RFILE's ${what}` },
    { short: "R", long: "recursive", help: "operate on files and directories recursively" },
    { short: "H", help: "follow a symbolic link on the command line to a directory" },
    { short: "L", help: "follow every symbolic link to a directory" },
    { short: "P", help: "do not follow any symbolic links (the default)" },
  ];
}

/** Reads the command line and changes each file. `readOwner` makes of the first word what is wanted. */
export async function changeOwners(
  run: Run,
  kind: Kind,
  readOwner: (run: Run, text: string) => Promise<Owner>,
): Promise<void> {
  const reference = run.options.get("reference");
  const [owner, ...rest] = run.operands;
  const files = reference === undefined ? rest : run.operands;
  if (owner === undefined) throw new UsageError("missing operand");
  if (files.length === 0) throw new UsageError(`missing operand after ${quoteName(owner)}`);
  const wanted =
    reference === undefined ? await readOwner(run, owner) : await ownerOf(run, reference);
  const from = run.options.get("from");
  const current = from === undefined ? undefined : await readOwner(run, from);
  const change = new OwnerChange(run, kind, wanted, current);
  for (const file of files) await change.apply(file, true);
}

async function ownerOf(run: Run, path: string): Promise<Owner> {
  try {
    return await run.sys.stat(path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`failed to get attributes of ${quoteName(path)}: ${errorWords(error)}`, {
      hasHint: false,
    });
  }
}

class OwnerChange {
  readonly #run: Run;
  readonly #kind: Kind;
  readonly #wanted: Owner;
  readonly #current: Owner | undefined;
  readonly #names: NameDatabase;

  constructor(run: Run, kind: Kind, wanted: Owner, current: Owner | undefined) {
    this.#run = run;
    this.#kind = kind;
    this.#wanted = wanted;
    this.#current = current;
    this.#names = new NameDatabase(run.sys);
  }

  async apply(path: string, isOperand: boolean): Promise<void> {
    const run = this.#run;
    const isRecursive = run.has("recursive");
    if (isRecursive && run.has("preserve-root") && /^\/+$/.test(path)) {
      await run.fail(
        "it is dangerous to operate recursively on '/'\nchown: use --no-preserve-root to override this failsafe",
      );
      return;
    }
    const found = await this.#stat(path);
    if (found === undefined) return;
    const isFollowed = run.has("L") || (run.has("H") && isOperand);
    const isLink = found.kind === "symlink";
    const stat = isLink && isFollowed ? ((await this.#target(path)) ?? found) : found;
    if (isRecursive && stat.kind === "directory") await this.#descend(path);
    await this.#change(path, isLink && !isFollowed && (isRecursive || run.has("no-dereference")));
  }

  async #stat(path: string): Promise<Stat | undefined> {
    try {
      return await this.#run.sys.lstat(path);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#fail(`cannot access ${quoteName(path)}: ${errorWords(error)}`);
      return undefined;
    }
  }

  async #target(path: string): Promise<Stat | undefined> {
    try {
      return await this.#run.sys.stat(path);
    } catch (error) {
      if (isKernelError(error)) return undefined;
      throw error;
    }
  }

  async #descend(path: string): Promise<void> {
    try {
      for (const { name } of await readDirectory(this.#run.sys, path))
        await this.apply(joinPath(path, name), false);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#fail(`cannot read directory ${quoteName(path)}: ${errorWords(error)}`);
    }
  }

  async #change(path: string, isLink: boolean): Promise<void> {
    const { sys } = this.#run;
    const { uid, gid } = this.#wanted;
    try {
      const before = await (isLink ? sys.lstat(path) : sys.stat(path));
      if (!this.#matches(before)) return;
      await (isLink ? sys.lchown(path, uid, gid) : sys.chown(path, uid, gid));
      await this.#report(path, before);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      const verb = error.errno === "ENOENT" ? "cannot dereference" : `changing ${this.#kind} of`;
      await this.#fail(`${verb} ${quoteName(path)}: ${errorWords(error)}`);
    }
  }

  #matches(stat: Stat): boolean {
    const current = this.#current;
    if (current === undefined) return true;
    return (
      (current.uid === -1 || current.uid === stat.uid) &&
      (current.gid === -1 || current.gid === stat.gid)
    );
  }

  async #report(path: string, before: Owner): Promise<void> {
    const run = this.#run;
    if (!run.has("verbose") && !run.has("changes")) return;
    const after = {
      uid: this.#wanted.uid === -1 ? before.uid : this.#wanted.uid,
      gid: this.#wanted.gid === -1 ? before.gid : this.#wanted.gid,
    };
    const isChanged = after.uid !== before.uid || after.gid !== before.gid;
    if (!isChanged && !run.has("verbose")) return;
    const what = this.#kind;
    run.out.addText(
      isChanged
        ? `changed ${what} of ${quoteName(path)} from ${await this.#show(before)} to ${await this.#show(after)}\n`
        : `${what} of ${quoteName(path)} retained as ${await this.#show(after)}\n`,
    );
  }

  async #show({ uid, gid }: Owner): Promise<string> {
    const group = await this.#names.groupName(gid);
    if (this.#kind === "group" || this.#wanted.uid === -1)
      return this.#kind === "group" ? group : `:${group}`;
    const user = await this.#names.userName(uid);
    return this.#wanted.gid === -1 ? user : `${user}:${group}`;
  }

  async #fail(message: string): Promise<void> {
    this.#run.status = 1;
    if (!this.#run.has("silent") && !this.#run.has("quiet")) await this.#run.warn(message);
  }
}
