import type {
  ChangedDirectory,
  Follower,
  Inode,
  Stat,
  Survey,
  SurveyedFile,
} from "../../../kernel/index.ts";
import { KernelError } from "../../../kernel/index.ts";
import type { Disk } from "./disk.ts";
import type { SurveyPage } from "./disk-surveys.ts";
import { type HeldFiles, HostFile } from "./held-files.ts";
import type { FileFacts } from "./reach.ts";

interface FolderFollowerParts {
  readonly disk: Disk;
  readonly files: HeldFiles;
  readonly survey: (
    directory: HostFile,
    page: { readonly cursor: number; readonly limit: number },
    follower: number,
  ) => Promise<SurveyPage>;
  readonly show: (facts: FileFacts) => Stat;
}

/** One who keeps a picture of directories of a host folder. */
export class FolderFollower implements Follower {
  readonly #parts: FolderFollowerParts;
  readonly #number: number;
  /** By identity. Held in memory: whoever is told of a change knows the directory by this object. */
  readonly #followed = new Map<string, HostFile>();
  #threads: number;

  constructor(parts: FolderFollowerParts) {
    this.#parts = parts;
    this.#number = parts.disk.nextFollower();
    this.#threads = parts.disk.threads;
  }

  async survey(directory: Inode, cursor: number, limit: number): Promise<Survey> {
    const parent = own(directory);
    const { files, show, survey } = this.#parts;
    const page = await survey(parent, { cursor, limit }, this.#number);
    if (page.isFollowed) this.#followed.set(parent.identity, parent);
    const surveyed = page.rows.map(({ name, facts, target }): SurveyedFile => {
      return { name, inode: files.note(facts, parent, name), stat: show(facts), target };
    });
    const { cursor: next, isFollowed } = page;
    return { stat: show(page.facts), files: surveyed, cursor: next, isFollowed };
  }

  async contents(
    inodes: readonly Inode[],
    limits: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const contents: (Uint8Array | undefined)[] = inodes.map(() => undefined);
    const byDirectory = new Map<HostFile, number[]>();
    for (const [at, inode] of inodes.entries()) {
      const { parent } = own(inode);
      if (parent === undefined) continue;
      byDirectory.set(parent, [...(byDirectory.get(parent) ?? []), at]);
    }
    let left = limits.totalBytes;
    for (const [parent, places] of byDirectory) {
      const found = await this.#contentsIn(
        parent,
        places.map((at) => own(inodes[at])),
        { ...limits, totalBytes: left },
      );
      for (const [n, at] of places.entries()) {
        contents[at] = found[n];
        left -= found[n]?.length ?? 0;
      }
    }
    return contents;
  }

  async changes(): Promise<readonly ChangedDirectory[] | undefined> {
    const { disk } = this.#parts;
    const changed = await disk.call("changes", { follower: this.#number });
    if (disk.threads !== this.#threads) {
      this.#threads = disk.threads;
      this.#followed.clear();
      return undefined;
    }
    return changed.flatMap(({ identity, names, isFollowed }): ChangedDirectory[] => {
      const directory = this.#followed.get(identity);
      if (!isFollowed) this.#followed.delete(identity);
      return directory === undefined ? [] : [{ directory, names }];
    });
  }

  close(): void {
    this.#followed.clear();
    // A disk that is closed follows nothing.
    this.#parts.disk.call("dropFollower", { follower: this.#number }).catch(() => undefined);
  }

  /** A directory that is gone has nothing to read. */
  async #contentsIn(
    parent: HostFile,
    files: readonly HostFile[],
    limits: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const named = files.map(({ name, identity }) => ({ name, identity }));
    try {
      return await this.#parts.files.use(parent, (directory) =>
        this.#parts.disk.call("contents", { directory, files: named, ...limits }),
      );
    } catch (error) {
      if (error instanceof KernelError) return [];
      throw error;
    }
  }
}

function own(inode: Inode | undefined): HostFile {
  if (!(inode instanceof HostFile)) throw new KernelError("EXDEV");
  return inode;
}
