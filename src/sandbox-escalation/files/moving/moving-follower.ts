import {
  type ChangedDirectory,
  type Contents,
  type Follower,
  type Inode,
  PlainFollower,
  type Survey,
  type SurveyedFile,
} from "../../../kernel/index.ts";
import type { MovingFile } from "./moving-file.ts";
import type { Seat } from "./seat.ts";

/** What a follower needs of the files that move. */
export interface MovingFollowerParts {
  /** Calls with the file where files are now. ESTALE. */
  readonly within: <T>(file: Inode, act: (inner: Inode, seat: Seat) => Promise<T>) => Promise<T>;
  /** Calls while files are where they are. */
  readonly settled: <T>(act: (seat: Seat) => Promise<T>) => Promise<T>;
  /** What the file was found to be there. */
  readonly findIn: (seat: Seat, file: Inode) => Inode | undefined;
  readonly take: (seat: Seat, found: Inode, parent: Inode, name: string) => MovingFile;
}

/**
 * Follows directories while files are in one place; after a move all pictures are out of date. In a sandbox
 * elsewhere nothing is followed.
 */
export class MovingFollower implements Follower {
  readonly #parts: MovingFollowerParts;
  /** Of the place where files were when somebody last asked. */
  #at: { readonly seat: Seat; readonly inner: Follower } | undefined;
  #hasMoved = false;

  constructor(parts: MovingFollowerParts) {
    this.#parts = parts;
  }

  survey(directory: Inode, cursor: number, limit: number): Promise<Survey> {
    return this.#parts.within(directory, async (inner, seat) => {
      const survey = await this.#followerIn(seat).survey(inner, cursor, limit);
      return this.#show(seat, directory, survey);
    });
  }

  async surveyWhole(
    directories: readonly Inode[],
    limits: { readonly limit: number; readonly totalNames: number },
  ): Promise<readonly (Survey | undefined)[]> {
    const surveys: (Survey | undefined)[] = directories.map(() => undefined);
    await this.#parts.settled(async (seat) => {
      const found = this.#found(seat, directories);
      const inners = found.map(({ inner }) => inner);
      const surveyed = await this.#followerIn(seat).surveyWhole(inners, limits);
      for (const [n, { at, file }] of found.entries()) {
        const survey = surveyed[n];
        if (survey !== undefined) surveys[at] = this.#show(seat, file, survey);
      }
    });
    return surveys;
  }

  async contents(
    files: readonly Inode[],
    limits: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<Contents> {
    const lengths = files.map(() => -1);
    // Those that were found where files are now; the others are looked for one by one when they are read.
    const bytes = await this.#parts.settled(async (seat) => {
      const found = this.#found(seat, files);
      const inners = found.map(({ inner }) => inner);
      const read = await this.#followerIn(seat).contents(inners, limits);
      for (const [n, { at }] of found.entries()) lengths[at] = read.lengths[n] ?? -1;
      return read.bytes;
    });
    return { lengths, bytes };
  }

  changes(): Promise<readonly ChangedDirectory[] | undefined> {
    return this.#parts.settled(async (seat) => {
      const changed = await this.#followerIn(seat).changes();
      const isAnything = this.#hasMoved || changed === undefined;
      this.#hasMoved = false;
      if (isAnything) return undefined;
      return changed.flatMap(({ directory, names }) => {
        const known = seat.known.get(directory);
        return known === undefined ? [] : [{ directory: known, names }];
      });
    });
  }

  close(): void {
    this.#at?.inner.close();
    this.#at = undefined;
  }

  /** Those of the files that were found where files are now. */
  #found(
    seat: Seat,
    files: readonly Inode[],
  ): readonly { readonly at: number; readonly file: Inode; readonly inner: Inode }[] {
    return files.flatMap((file, at) => {
      const inner = this.#parts.findIn(seat, file);
      return inner === undefined ? [] : [{ at, file, inner }];
    });
  }

  #show(seat: Seat, directory: Inode, survey: Survey): Survey {
    const files = survey.files.map((file): SurveyedFile => {
      const inode = this.#parts.take(seat, file.inode, directory, file.name);
      return { ...file, inode, stat: { ...file.stat, ino: inode.ino } };
    });
    return { ...survey, files, stat: { ...survey.stat, ino: directory.ino } };
  }

  #followerIn(seat: Seat): Follower {
    if (this.#at?.seat === seat) return this.#at.inner;
    if (this.#at !== undefined) this.#hasMoved = true;
    this.#at?.inner.close();
    const inner = seat.files.follow?.() ?? new PlainFollower(seat.files);
    this.#at = { seat, inner };
    return inner;
  }
}
