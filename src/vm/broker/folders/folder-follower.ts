import type {
  ChangedDirectory,
  Contents,
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
import { factsAt } from "./survey-rows.ts";
import type { FilesAt, Step } from "./way.ts";

interface FolderFollowerParts {
  readonly disk: Disk;
  readonly files: HeldFiles;
  readonly survey: (
    directory: HostFile,
    page: { readonly cursor: number; readonly limit: number },
    follower: number,
  ) => Promise<SurveyPage>;
  /** Listings are done one after the other. */
  readonly inTurn: <T>(list: () => Promise<T>) => Promise<T>;
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
    return this.#take(parent, await this.#parts.survey(parent, { cursor, limit }, this.#number));
  }

  async surveyWhole(
    inodes: readonly Inode[],
    limits: { readonly limit: number; readonly totalNames: number },
  ): Promise<readonly (Survey | undefined)[]> {
    const { disk, inTurn } = this.#parts;
    const follower = this.#number;
    // The root has no name.
    const named = inodes.filter((inode) => own(inode).parent !== undefined);
    const pages = await inTurn(() =>
      this.#at(named, (groups) => disk.call("surveyWhole", { groups, ...limits, follower })),
    );
    const surveys = new Map(named.map((inode, at) => [inode, pages?.[at]]));
    return inodes.map((inode) => {
      const page = surveys.get(inode);
      return page === undefined ? undefined : this.#take(own(inode), page);
    });
  }

  async contents(
    inodes: readonly Inode[],
    limits: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<Contents> {
    const { disk } = this.#parts;
    const read = await this.#at(inodes, (groups) => disk.call("contents", { groups, ...limits }));
    return read ?? { lengths: inodes.map(() => -1), bytes: new Uint8Array(0) };
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

  #take(directory: HostFile, { rows, facts, cursor, isFollowed }: SurveyPage): Survey {
    const { files, show } = this.#parts;
    if (isFollowed) this.#followed.set(directory.identity, directory);
    const surveyed = rows.names.map((name, row): SurveyedFile => {
      const of = factsAt(rows, row);
      const target = rows.targets.get(row);
      return { name, inode: files.note(of, directory, name), stat: show(of), target };
    });
    return { stat: show(facts), files: surveyed, cursor, isFollowed };
  }

  /** One call for all of them. Undefined where it fails: what is in a directory that is gone is gone. */
  async #at<T>(
    inodes: readonly Inode[],
    call: (groups: readonly FilesAt[]) => Promise<T>,
  ): Promise<T | undefined> {
    if (inodes.length === 0) return undefined;
    try {
      const all = byParent(inodes);
      const parents = all.map(({ parent }) => parent);
      return await this.#parts.files.useWays(parents, (ways) =>
        call(ways.map((way, at) => ({ way, files: all[at]?.files ?? [] }))),
      );
    } catch (error) {
      if (error instanceof KernelError) return undefined;
      throw error;
    }
  }
}

/** Files in their order, those that follow each other and are found in the same directory together. */
function byParent(inodes: readonly Inode[]): readonly Siblings[] {
  const all: { readonly parent: HostFile; readonly files: Step[] }[] = [];
  for (const inode of inodes) {
    const { name, identity, parent } = own(inode);
    if (parent === undefined) throw new KernelError("EBUSY");
    const last = all.at(-1);
    if (last?.parent === parent) last.files.push({ name, identity });
    else all.push({ parent, files: [{ name, identity }] });
  }
  return all;
}

interface Siblings {
  readonly parent: HostFile;
  readonly files: readonly Step[];
}

function own(inode: Inode | undefined): HostFile {
  if (!(inode instanceof HostFile)) throw new KernelError("EXDEV");
  return inode;
}
