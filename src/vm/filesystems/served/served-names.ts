import { type Answer, type DirectoryPage, isKernelError } from "../../../kernel/index.ts";
import { decodeEntries, decodeFound, ENTRIES_LIMIT } from "../../wire/mount-requests.ts";
import type { BroughtContent } from "./brought-content.ts";
import { ListedNames } from "./listed-names.ts";
import type { ServedFiles } from "./served-files.ts";
import type { ServedInode } from "./served-inode.ts";

/** Finds names of served directories, and lists them. */
export class ServedNames {
  readonly #files: ServedFiles;
  readonly #brought: BroughtContent;
  readonly #listed: ListedNames;

  constructor(files: ServedFiles, brought: BroughtContent, now: () => number) {
    this.#files = files;
    this.#brought = brought;
    this.#listed = new ListedNames(now);
  }

  lookup(parent: ServedInode, name: string, isToRead = false): Answer<ServedInode | undefined> {
    return this.#files.findEntry(parent, name) ?? this.#ask(parent, name, isToRead);
  }

  async #ask(
    parent: ServedInode,
    name: string,
    isToRead: boolean,
  ): Promise<ServedInode | undefined> {
    try {
      return (
        (await this.#lookupMany(parent, name)) ??
        (await (isToRead
          ? this.#brought.find((room) => this.#lookupOne(parent, name, room))
          : this.#lookupOne(parent, name).then(({ inode }) => inode)))
      );
    } catch (error) {
      // The directory is gone.
      if (isKernelError(error, "ESTALE")) return undefined;
      throw error;
    }
  }

  async list(directory: ServedInode, cursor: number, limit: number): Promise<DirectoryPage> {
    const page = { cursor, limit: Math.min(limit, ENTRIES_LIMIT) };
    const wish = () => ({ call: "list", node: directory.node, ...page }) as const;
    try {
      const { value, body } = await this.#files.ask([directory], wish);
      const entries = decodeEntries(body);
      this.#listed.keep(directory, cursor, entries);
      return { entries, cursor: value.cursor };
    } catch (error) {
      if (isKernelError(error, "ESTALE")) return { entries: [], cursor: undefined };
      throw error;
    }
  }

  /** Its content comes along where there is room for it. */
  async #lookupOne(
    parent: ServedInode,
    name: string,
    room?: Uint8Array,
  ): Promise<{ readonly inode: ServedInode | undefined; readonly bytes: Uint8Array }> {
    const stamp = this.#files.stamp();
    const content = room === undefined ? {} : { content: room.length };
    const wish = () => ({ call: "lookup", at: { node: parent.node, name }, ...content }) as const;
    const { value, body } = await this.#files.ask([parent], wish, { into: room });
    const { found } = value;
    return { inode: found && this.#files.take(found, parent, name, stamp), bytes: body };
  }

  /** With others that were listed beside it, where somebody looks at all of them. Undefined: it is not known. */
  async #lookupMany(parent: ServedInode, name: string): Promise<ServedInode | undefined> {
    const along = this.#listed.takeAlong(parent, name);
    if (along.length === 0) return undefined;
    const names = [name, ...along];
    const stamp = this.#files.stamp();
    const wish = () => ({ call: "lookupMany", node: parent.node, names }) as const;
    const { body } = await this.#files.ask([parent], wish);
    // A name that this VM has changed meanwhile may lead elsewhere by now.
    if (this.#files.stamp().allChanges !== stamp.allChanges) return undefined;
    for (const [at, found] of decodeFound(body)) this.#files.take(found, parent, at, stamp);
    return this.#files.findEntry(parent, name);
  }
}
