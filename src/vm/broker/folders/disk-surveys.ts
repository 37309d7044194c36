/** Lists directories of a host folder page by page, with the attributes of all that is in them, in the disk's thread. */
import { hash, randomBytes } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { firstFrom, KernelError } from "../../../kernel/index.ts";
import type { FollowedDirectories } from "./followed-directories.ts";
import { openNames } from "./look-by-node.ts";
import type { FileFacts, Reach } from "./reach.ts";
import { GatheredRows, type SurveyRows } from "./survey-rows.ts";
import { atWay, type FilesAt, type Step } from "./way.ts";

/** Names of one directory; a larger one is not listed at all. */
const DIRECTORY_LIMIT = 250_000;
/** Names that are read before others have their turn in the thread. */
const NAMES_PER_TURN = 2048;
/** Directories whose names are kept for who reads the next page, and for how long. */
const KEPT_LIMIT = 4;
const KEPT_MS = 2000;

export interface SurveyRequest {
  readonly fd: number;
  /** What the directory is, so that another one at the same descriptor is not taken for it. */
  readonly identity: string;
  readonly cursor: number;
  readonly limit: number;
  /** Who is to be told what changes in it from then on. */
  readonly follower: number | undefined;
}

/** Directories by their names. */
export interface WholeSurveysRequest {
  readonly groups: readonly FilesAt[];
  /** Names of one directory: a larger one is left out. */
  readonly limit: number;
  /** Names after which no further directory is looked at. */
  readonly totalNames: number;
  readonly follower: number;
}

export interface SurveyPage {
  readonly facts: FileFacts;
  readonly rows: SurveyRows;
  readonly cursor: number | undefined;
  readonly isFollowed: boolean;
}

interface Ordered {
  /** A number below 2⁵² that follows from the name: the order, whatever comes and goes. */
  readonly position: number;
  readonly name: Buffer;
}

/**
 * The order of a listing is one of secret numbers that follow from the names, so that a cursor needs no
 * memory of what was there, and nobody can make two names fall together.
 */
export class DiskSurveys {
  readonly #reach: Reach;
  readonly #followed: FollowedDirectories;
  readonly #secret = randomBytes(16).toString("hex");
  readonly #kept = new Map<string, { readonly names: readonly Ordered[]; readonly atMs: number }>();

  constructor(reach: Reach, followed: FollowedDirectories) {
    this.#reach = reach;
    this.#followed = followed;
  }

  /** EOVERFLOW. The thread does other things between parts of a large directory; the descriptor has to stay open. */
  async survey(request: SurveyRequest): Promise<SurveyPage> {
    const { fd, identity, cursor, limit, follower } = request;
    // Before anything is looked at: a change is either seen or told.
    const isFollowed =
      follower !== undefined && this.#followed.follow(follower, identity, this.#reach.itself(fd));
    const names = this.#find(identity, cursor) ?? (await this.#read(fd));
    const start = firstFrom(names, cursor);
    const page = names.slice(start, start + limit);
    const last = page.at(-1);
    const hasMore = start + limit < names.length && last !== undefined;
    if (hasMore) this.#keep(identity, names);
    else this.#kept.delete(identity);
    const rows = new GatheredRows();
    for (const { name } of page) this.#reach.lookAt(fd, name, rows.add);
    const facts = this.#reach.stat(fd);
    return {
      facts,
      rows: rows.pack(),
      cursor: hasMore ? last.position + 1 : undefined,
      isFollowed,
    };
  }

  /** Each as it is now; nothing for one that is another by now, is too large, or cannot be listed. */
  surveyWhole(request: WholeSurveysRequest): readonly (SurveyPage | undefined)[] {
    let left = request.totalNames;
    const survey = (directory: number, file: Step): SurveyPage | undefined => {
      if (left <= 0) return undefined;
      const way = { held: directory, steps: [file] };
      const page = atWay(this.#reach, way, (fd) => this.#surveyHeld(fd, file.identity, request));
      left -= page?.rows.names.length ?? 0;
      return page;
    };
    return request.groups.flatMap(
      ({ way, files }) =>
        atWay(this.#reach, way, (directory) => files.map((file) => survey(directory, file))) ??
        files.map(() => undefined),
    );
  }

  #surveyHeld(
    fd: number,
    identity: string,
    { limit, follower }: WholeSurveysRequest,
  ): SurveyPage | undefined {
    // Before anything is looked at: a change is either seen or told.
    const isFollowed = this.#followed.follow(follower, identity, this.#reach.itself(fd));
    const rows = new GatheredRows();
    if (!this.#reach.lookThrough(fd, limit, rows.add)) return undefined;
    return { facts: this.#reach.stat(fd), rows: rows.pack(), cursor: undefined, isFollowed };
  }

  async #read(fd: number): Promise<Ordered[]> {
    const open = openNames(this.#reach.itself(fd));
    const names: Ordered[] = [];
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        const name = Buffer.from(entry.name);
        names.push({ position: this.#positionOf(name), name });
        if (names.length > DIRECTORY_LIMIT) throw tooLarge();
        if (names.length % NAMES_PER_TURN === 0) await turn();
      }
    } finally {
      open.closeSync();
    }
    return names.sort((a, b) => a.position - b.position);
  }

  #positionOf(name: Buffer): number {
    const digest = hash("sha1", this.#secret + name.toString("latin1"), "hex");
    return Number.parseInt(digest.slice(0, 13), 16);
  }

  #find(identity: string, cursor: number): readonly Ordered[] | undefined {
    const kept = this.#kept.get(identity);
    if (kept === undefined || cursor === 0 || Date.now() - kept.atMs > KEPT_MS) return undefined;
    return kept.names;
  }

  #keep(identity: string, names: readonly Ordered[]): void {
    this.#kept.delete(identity);
    this.#kept.set(identity, { names, atMs: Date.now() });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_LIMIT) return;
      this.#kept.delete(oldest);
    }
  }
}

function tooLarge(): KernelError {
  const reason = `a directory has at most ${DIRECTORY_LIMIT} entries here`;
  return new KernelError("EOVERFLOW", undefined, reason);
}
