import { KernelError } from "../abi/kernel-error.ts";
import type { FileSystem, Inode } from "./file-system.ts";
import type { ChangedDirectory, Contents, Follower, Survey, SurveyedFile } from "./follower.ts";

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

  async surveyWhole(
    directories: readonly Inode[],
    { limit, totalNames }: { readonly limit: number; readonly totalNames: number },
  ): Promise<readonly (Survey | undefined)[]> {
    const surveys: (Survey | undefined)[] = [];
    let left = totalNames;
    for (const directory of directories) {
      const survey = left > 0 ? await this.#surveyOne(directory, limit) : undefined;
      left -= survey?.files.length ?? 0;
      surveys.push(survey);
    }
    return surveys;
  }

  async contents(
    files: readonly Inode[],
    { limitBytes, totalBytes }: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<Contents> {
    const contents: Uint8Array[] = [];
    const lengths: number[] = [];
    let count = 0;
    for (const file of files) {
      const content = await this.#read(file, Math.min(limitBytes, totalBytes - count));
      lengths.push(content?.length ?? -1);
      if (content === undefined) continue;
      contents.push(content);
      count += content.length;
    }
    return { lengths, bytes: joinBytes(contents, count) };
  }

  async changes(): Promise<readonly ChangedDirectory[]> {
    return [];
  }

  close(): void {}

  async #surveyOne(directory: Inode, limit: number): Promise<Survey | undefined> {
    try {
      const survey = await this.survey(directory, 0, limit);
      return survey.cursor === undefined ? survey : undefined;
    } catch (error) {
      if (error instanceof KernelError) return undefined;
      throw error;
    }
  }

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

function joinBytes(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
