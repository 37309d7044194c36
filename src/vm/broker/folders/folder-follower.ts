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
import type { SurveyPage, WholeSurveysRequest } from "./disk-surveys.ts";
import { type HeldFiles, HostFile } from "./held-files.ts";
import type { FileFacts } from "./reach.ts";
import { factsAt } from "./survey-rows.ts";

interface FolderFollowerParts {
  readonly disk: Disk;
  readonly files: HeldFiles;
  readonly survey: (
    directory: HostFile,
    page: { readonly cursor: number; readonly limit: number },
    follower: number,
  ) => Promise<SurveyPage>;
  readonly surveyWhole: (
    directory: HostFile,
    request: Omit<WholeSurveysRequest, "directory">,
  ) => Promise<readonly (SurveyPage | undefined)[]>;
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
    { limit, totalNames }: { readonly limit: number; readonly totalNames: number },
  ): Promise<readonly (Survey | undefined)[]> {
    const surveys: (Survey | undefined)[] = [];
    let left = totalNames;
    for (const { parent, files } of byParent(inodes)) {
      const request = { limit, totalNames: left, follower: this.#number };
      const pages = left > 0 ? await this.#surveyWholeIn(parent, files, request) : [];
      for (const [at, directory] of files.entries()) {
        const page = pages[at];
        surveys.push(page === undefined ? undefined : this.#take(directory, page));
        left -= page?.rows.names.length ?? 0;
      }
    }
    return surveys;
  }

  async contents(
    inodes: readonly Inode[],
    limits: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<Contents> {
    const parts: Contents[] = [];
    let left = limits.totalBytes;
    for (const { parent, files } of byParent(inodes)) {
      const part = await this.#contentsIn(parent, files, { ...limits, totalBytes: left });
      left -= part.bytes.length;
      parts.push(part);
    }
    return {
      lengths: parts.flatMap(({ lengths }) => lengths),
      bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
    };
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

  /** A directory that is gone has none. */
  async #surveyWholeIn(
    parent: HostFile | undefined,
    directories: readonly HostFile[],
    limits: Omit<WholeSurveysRequest, "directory" | "files">,
  ): Promise<readonly (SurveyPage | undefined)[]> {
    if (parent === undefined) return [];
    const named = directories.map(({ name, identity }) => ({ name, identity }));
    try {
      return await this.#parts.surveyWhole(parent, { files: named, ...limits });
    } catch (error) {
      if (error instanceof KernelError) return [];
      throw error;
    }
  }

  /** A directory that is gone has nothing to read. */
  async #contentsIn(
    parent: HostFile | undefined,
    files: readonly HostFile[],
    limits: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<Contents> {
    const nothing = { lengths: files.map(() => -1), bytes: new Uint8Array(0) };
    if (parent === undefined) return nothing;
    const named = files.map(({ name, identity }) => ({ name, identity }));
    try {
      return await this.#parts.files.use(parent, (directory) =>
        this.#parts.disk.call("contents", { directory, files: named, ...limits }),
      );
    } catch (error) {
      if (error instanceof KernelError) return nothing;
      throw error;
    }
  }
}

/** Files in their order, those that follow each other and are found in the same directory together. */
function byParent(inodes: readonly Inode[]): readonly Siblings[] {
  const all: { readonly parent: HostFile | undefined; readonly files: HostFile[] }[] = [];
  for (const inode of inodes) {
    const file = own(inode);
    const last = all.at(-1);
    if (last?.parent === file.parent && last !== undefined) last.files.push(file);
    else all.push({ parent: file.parent, files: [file] });
  }
  return all;
}

interface Siblings {
  /** Undefined for the root. */
  readonly parent: HostFile | undefined;
  readonly files: readonly HostFile[];
}

function own(inode: Inode | undefined): HostFile {
  if (!(inode instanceof HostFile)) throw new KernelError("EXDEV");
  return inode;
}
