import { KernelError } from "../abi/kernel-error.ts";
import type { FileSystem, Inode } from "./file-system.ts";
import type { ChangedDirectory, Follower, Survey, SurveyedFile } from "./follower.ts";

/** Looks at the directories of a file system that follows none: name by name, good for a moment. */
export class PlainFollower implements Follower {
  readonly #fileSystem: FileSystem;

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  async survey(directory: Inode, cursor: number, limit: number): Promise<Survey> {
    const page = await this.#fileSystem.list(directory, cursor, limit);
    const files = await Promise.all(page.entries.map(({ name }) => this.#look(directory, name)));
    const stat = await this.#fileSystem.stat(directory);
    return { stat, files: files.flat(), cursor: page.cursor, isFollowed: false };
  }

  async contents(
    files: readonly Inode[],
    { limitBytes, totalBytes }: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const contents: (Uint8Array | undefined)[] = [];
    let left = totalBytes;
    for (const file of files) {
      const content = await this.#read(file, Math.min(limitBytes, left));
      left -= content?.length ?? 0;
      contents.push(content);
    }
    return contents;
  }

  async changes(): Promise<readonly ChangedDirectory[]> {
    return [];
  }

  close(): void {}

  /** Nothing where it has gone, or cannot be looked at: whoever wants it asks for it, and is told. */
  async #look(directory: Inode, name: string): Promise<readonly SurveyedFile[]> {
    try {
      const inode = await this.#fileSystem.lookup(directory, name);
      return inode === undefined ? [] : [{ name, inode, stat: await this.#fileSystem.stat(inode) }];
    } catch (error) {
      if (error instanceof KernelError) return [];
      throw error;
    }
  }

  async #read(file: Inode, limitBytes: number): Promise<Uint8Array | undefined> {
    try {
      const { kind, size } = await this.#fileSystem.stat(file);
      if (kind !== "file" || size === 0 || size > limitBytes) return undefined;
      const into = new Uint8Array(size);
      return (await this.#fileSystem.read(file, into, 0)) === size ? into : undefined;
    } catch (error) {
      if (error instanceof KernelError) return undefined;
      throw error;
    }
  }
}
