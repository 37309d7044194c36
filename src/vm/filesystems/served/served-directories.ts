import {
  type Answer,
  type DirectoryEntry,
  type DirectoryPage,
  firstFrom,
  isKernelError,
  type Rights,
  type Stat,
} from "../../../kernel/index.ts";
import { type MountCall, SURVEY_NAMES, SURVEY_NODES } from "../../wire/mount-requests.ts";
import { decodeSurvey, type SurveyedNode } from "../../wire/survey-body.ts";
import { NamePositions } from "./name-positions.ts";
import { type Entry, Picture } from "./picture.ts";
import type { PictureCache } from "./picture-cache.ts";
import type { Asked, ServedFiles } from "./served-files.ts";
import type { ServedInode } from "./served-inode.ts";
import { directoriesAfter, isFirst } from "./walk-order.ts";

/** What comes with a file that is asked for to be read. */
export type TakeContent = (inode: ServedInode, bytes: Uint8Array, asked: Asked) => void;

export interface ServedDirectoriesParts {
  readonly files: ServedFiles;
  readonly pictures: PictureCache;
  /** Whether the server tells what is changed in directories that were fetched. */
  readonly canFollow: boolean;
  /** The most that comes with a file that is to be read. */
  readonly contentBytes: number;
  readonly takeContent: TakeContent;
  /** Attributes were heard of a file; `before` are those that were known. */
  readonly learned: (inode: ServedInode, before: Stat | undefined) => void;
}

/** Names of a directory that are asked for one by one before all of it is. */
const LOOKUPS_BEFORE_SURVEY = 2;
/** Answers with directories for a walker that are on their way, or here and not used yet. */
const BATCHES_AHEAD = 2;
/** The first position that is ours, in cursors: those of servers are below. */
const OWN_CURSOR = 2 ** 52 + 1;

/** Finds names in served directories, and lists them: from pictures of them, which are fetched whole. */
export class ServedDirectories {
  readonly #parts: ServedDirectoriesParts;
  readonly #positions = new NamePositions();
  /** Directories that are on their way. */
  readonly #surveying = new Map<ServedInode, Promise<void>>();
  /** Directories that were fetched ahead of their first use, with what was fetched with them. */
  readonly #ahead = new WeakMap<ServedInode, Batch>();
  /** Batches that nobody has used yet. */
  #unused = 0;
  /** Directories of which no whole picture can be kept: they are too large, or have names that nobody may know. */
  readonly #passedOn = new WeakSet<ServedInode>();
  /** How many names of a directory were asked for one by one since it was last fetched whole. */
  readonly #lookups = new WeakMap<ServedInode, number>();

  constructor(parts: ServedDirectoriesParts) {
    this.#parts = parts;
  }

  lookup(parent: ServedInode, name: string, isToRead: boolean): Answer<ServedInode | undefined> {
    const entry = findEntry(parent, name);
    const isBelieved = entry === undefined ? false : this.#parts.files.believes(entry.stamp);
    if (isBelieved === true) return entry?.inode;
    if (isBelieved === "unsure") {
      return this.#parts.files.hearChanges().then(() => this.lookup(parent, name, isToRead));
    }
    return this.#ask(parent, name, isToRead);
  }

  /** Who may use a directory: as its parent's picture says. */
  findRights({ parent, name, known }: ServedInode): Rights | undefined {
    const entry = parent === undefined ? undefined : findEntry(parent, name);
    if (entry === undefined || known === undefined || entry.inode?.known !== known)
      return undefined;
    return this.#parts.files.believes(entry.stamp) === true ? known.stat : undefined;
  }

  async list(directory: ServedInode, cursor: number, limit: number): Promise<DirectoryPage> {
    try {
      if (cursor > 0 && cursor < OWN_CURSOR) return await this.#passOn(directory, cursor, limit);
      const picture = await this.#wholeOf(directory);
      if (picture !== undefined) return this.#page(picture, cursor, limit);
      return cursor === 0
        ? await this.#passOn(directory, cursor, limit)
        : await this.#search(directory, cursor, limit);
    } catch (error) {
      // The directory is gone.
      if (isKernelError(error, "ESTALE")) return { entries: [], cursor: undefined };
      throw error;
    }
  }

  async #ask(
    parent: ServedInode,
    name: string,
    isToRead: boolean,
  ): Promise<ServedInode | undefined> {
    try {
      const picture = this.#isLookedThrough(parent) ? await this.#wholeOf(parent) : undefined;
      if (picture !== undefined && !picture.unknown.has(name)) {
        return picture.entries.get(name)?.inode;
      }
      return await this.#askOne(parent, name, isToRead);
    } catch (error) {
      // The directory is gone.
      if (isKernelError(error, "ESTALE")) return undefined;
      throw error;
    }
  }

  /** Whether somebody asks for one name after the other: all of them are fetched then. */
  #isLookedThrough(directory: ServedInode): boolean {
    const count = (this.#lookups.get(directory) ?? 0) + 1;
    this.#lookups.set(directory, count);
    if (!this.#parts.canFollow || count <= LOOKUPS_BEFORE_SURVEY) return false;
    if (this.#passedOn.has(directory)) return false;
    const { picture } = directory;
    // A whole picture that is believed has this name changed: that is all there is to ask.
    return picture?.isComplete !== true || !this.#isBelieved(picture);
  }

  async #askOne(
    parent: ServedInode,
    name: string,
    isToRead: boolean,
  ): Promise<ServedInode | undefined> {
    const { files, contentBytes, takeContent } = this.#parts;
    const asked = files.asked(parent);
    const content = isToRead ? { content: contentBytes } : {};
    const request = () =>
      ({ call: "lookup", at: { node: parent.node, name }, ...content }) as const;
    const { value, body } = await files.ask([parent], request);
    const inode = files.learnName({ parent, name, asked }, value.found);
    // They were heard of together: what is heard of the file later says nothing of these bytes.
    const isCurrent = asked.changesInside === parent.changesInside;
    if (inode !== undefined && body.length > 0 && isCurrent) takeContent(inode, body, asked);
    return inode;
  }

  /** All of a directory as it is; undefined where that cannot be kept. */
  async #wholeOf(directory: ServedInode): Promise<Picture | undefined> {
    const { files, pictures } = this.#parts;
    for (;;) {
      if (this.#passedOn.has(directory)) return undefined;
      const { picture } = directory;
      const isWhole = picture?.isComplete === true && picture.unknown.size === 0;
      const isBelieved = isWhole ? files.believes(picture.stamp) : false;
      if (isBelieved === true) {
        pictures.count(directory);
        this.#goOn(directory);
        return picture;
      }
      const underWay = this.#surveying.get(directory);
      if (isBelieved === "unsure") await files.hearChanges();
      else if (underWay === undefined) return this.#survey(directory);
      // One that did not come is asked for by itself, as is one that was asked for before this VM made a change.
      else await underWay;
    }
  }

  /** Once for all who want it, and by itself: nobody waits for what is only likely to be wanted. */
  async #survey(directory: ServedInode): Promise<Picture | undefined> {
    const surveyed = this.#start([directory]);
    // What is ahead was not what is wanted.
    this.#unused = 0;
    this.#surveyAhead(directory);
    return (await surveyed)[0];
  }

  /** The first use of what was fetched ahead has more fetched: the server reads on while the walker works. */
  #goOn(directory: ServedInode): void {
    const batch = this.#ahead.get(directory);
    if (batch === undefined) return;
    this.#ahead.delete(directory);
    if (batch.isUsed) return;
    batch.isUsed = true;
    this.#unused = Math.max(0, this.#unused - 1);
    if (this.#isWalk(directory)) this.#surveyAhead(directory);
  }

  #surveyAhead(directory: ServedInode): void {
    while (this.#unused < BATCHES_AHEAD) {
      const next = this.#nextOf(directory);
      if (next.length === 0) return;
      this.#unused += 1;
      // Whoever wants one of them asks for it by itself then.
      this.#start(next).catch(() => undefined);
    }
  }

  #start(directories: readonly ServedInode[]): Promise<readonly (Picture | undefined)[]> {
    const surveyed = this.#surveyAll(directories);
    const batch = { isUsed: false };
    const end = (): void => {
      for (const one of directories) this.#surveying.delete(one);
    };
    const ended = surveyed.then(end, end);
    for (const one of directories) {
      this.#lookups.delete(one);
      this.#surveying.set(one, ended);
      this.#ahead.set(one, batch);
    }
    return surveyed;
  }

  /** Whether directories beside its parent were surveyed before, or whoever lists it has gone down twice as walkers do. */
  #isWalk(directory: ServedInode): boolean {
    const { parent } = directory;
    if ((parent?.parent?.picture?.surveys ?? 0) >= 2) return true;
    return parent !== undefined && isFirst(directory) && isFirst(parent);
  }

  /** Those that are likely to be wanted next, where somebody surveys one directory after the other. */
  #nextOf(directory: ServedInode): readonly ServedInode[] {
    const isWalk = this.#isWalk(directory);
    const surveys = directory.parent?.picture?.surveys ?? 0;
    const wanted = isWalk ? SURVEY_NODES : Math.min(2 * surveys, SURVEY_NODES);
    const next: ServedInode[] = [];
    for (const other of directoriesAfter(directory, isWalk)) {
      if (next.length >= wanted) break;
      if (other === directory || this.#surveying.has(other) || this.#passedOn.has(other)) continue;
      const isKept = other.picture?.isComplete === true && this.#isBelieved(other.picture);
      if (!isKept) next.push(other);
    }
    return next;
  }

  #isBelieved({ stamp }: Picture): boolean {
    return this.#parts.files.believes(stamp) === true;
  }

  async #surveyAll(directories: readonly ServedInode[]): Promise<readonly (Picture | undefined)[]> {
    const { files } = this.#parts;
    const asked = directories.map((directory) => files.asked(directory));
    const nodes = (): number[] => directories.map(({ node }) => node);
    const request = (): MountCall => ({ call: "survey", nodes: nodes(), cursor: 0 });
    const { body } = await files.ask(directories.slice(0, 1), request);
    const pages = new Map(decodeSurvey(body).map((page) => [page.node, page]));
    const pictures: (Picture | undefined)[] = [];
    for (const [at, directory] of directories.entries()) {
      const page = pages.get(directory.node);
      const when = asked[at];
      // Of the others, those that take more than a page are left for later.
      const isTaken = page !== undefined && (at === 0 || page.cursor === undefined);
      if (isTaken && when !== undefined) {
        pictures[at] = await this.#takeAll(directory, page, when);
      }
    }
    return pictures;
  }

  /** With the pages behind the first one. */
  async #takeAll(
    directory: ServedInode,
    first: SurveyedNode,
    asked: Asked,
  ): Promise<Picture | undefined> {
    const { files, pictures } = this.#parts;
    const names = [...first.names];
    let { cursor, isFollowed } = first;
    while (cursor !== undefined && pictures.canKeep(names.length)) {
      const page = await this.#pageOf(directory, cursor);
      names.push(...(page?.names ?? []));
      isFollowed &&= page?.isFollowed === true;
      cursor = page?.cursor;
    }
    if (!pictures.canKeep(names.length) || names.some(({ node }) => node === undefined)) {
      this.#passedOn.add(directory);
      return undefined;
    }
    const { atMs, epoch, changesInside } = asked;
    const followed = isFollowed ? files.eraOf(asked) : undefined;
    const picture = new Picture({ atMs, epoch, changes: 0 }, { isComplete: true, followed });
    const isCurrent = changesInside === directory.changesInside;
    if (isCurrent) {
      pictures.keep(directory, picture);
      if (directory.parent?.picture !== undefined) directory.parent.picture.surveys += 1;
      const stamp = { ...picture.stamp, changes: directory.changes };
      directory.known = { stat: first.stat, stamp };
    }
    this.#fill(directory, picture, names, asked);
    if (isCurrent) pictures.count(directory);
    return picture;
  }

  /** What was changed since it was asked for may be in the answer, or not: then nothing is learned from it. */
  #fill(
    directory: ServedInode,
    picture: Picture,
    names: SurveyedNode["names"],
    asked: Asked,
  ): void {
    const { files } = this.#parts;
    for (const { name, node, stat, target } of names) {
      const inode = node === undefined ? undefined : files.take({ node, stat });
      if (inode === undefined || inode === files.root) continue;
      inode.parent = directory;
      inode.name = name;
      inode.target ??= target;
      picture.set(name, { inode, stamp: picture.stamp });
      if (directory.picture !== picture) continue;
      const before = inode.known?.stat;
      files.learnWith(picture, inode, { stat, asked });
      this.#parts.learned(inode, before);
    }
  }

  async #pageOf(
    directory: ServedInode,
    cursor: number,
    limit?: number,
  ): Promise<SurveyedNode | undefined> {
    const request = (): MountCall => ({
      call: "survey",
      nodes: [directory.node],
      cursor,
      ...(limit === undefined ? {} : { limit }),
    });
    return decodeSurvey((await this.#parts.files.ask([directory], request)).body)[0];
  }

  /** A page as the server has it. What it says of files is kept for who looks at them next. */
  async #passOn(directory: ServedInode, cursor: number, limit: number): Promise<DirectoryPage> {
    const { files } = this.#parts;
    const asked = files.asked(directory);
    const page = await this.#pageOf(directory, cursor, Math.min(limit, SURVEY_NAMES));
    for (const { name, node, stat } of page?.names ?? []) {
      if (node !== undefined) files.learnName({ parent: directory, name, asked }, { node, stat });
    }
    const entries = (page?.names ?? []).map(listed);
    return { entries, cursor: page?.cursor };
  }

  #page(picture: Picture, cursor: number, limit: number): DirectoryPage {
    if (cursor === 0 && picture.byName.length <= limit) {
      return { entries: picture.byName.map(entryOf), cursor: undefined };
    }
    const order = picture.order((name) => this.#positions.of(name));
    const start = cursor === 0 ? 0 : firstFrom(order, cursor - OWN_CURSOR);
    const page = order.slice(start, start + limit);
    const last = page.at(-1);
    const hasMore = start + limit < order.length && last !== undefined;
    return {
      entries: page.map(entryOf),
      cursor: hasMore ? OWN_CURSOR + last.position + 1 : undefined,
    };
  }

  /** The next page of a listing that was begun with a picture, of a directory that has grown too large for one. */
  async #search(directory: ServedInode, cursor: number, limit: number): Promise<DirectoryPage> {
    let next: { readonly position: number; readonly entry: DirectoryPage["entries"][number] }[] =
      [];
    for (let at: number | undefined = 0; at !== undefined; ) {
      const page: SurveyedNode | undefined = await this.#pageOf(directory, at);
      const found = (page?.names ?? []).map((of) => ({
        position: OWN_CURSOR + this.#positions.of(of.name),
        entry: listed(of),
      }));
      next = [...next, ...found.filter(({ position }) => position >= cursor)]
        .sort((a, b) => a.position - b.position)
        .slice(0, limit + 1);
      at = page?.cursor;
    }
    const last = next[limit - 1];
    const hasMore = next.length > limit && last !== undefined;
    return {
      entries: next.slice(0, limit).map(({ entry }) => entry),
      cursor: hasMore ? last.position + 1 : undefined,
    };
  }
}

function listed({ name, stat: { kind, ino } }: SurveyedNode["names"][number]): DirectoryEntry {
  return { name, kind, ino };
}

function entryOf({ name, inode }: { name: string; inode: ServedInode }): DirectoryEntry {
  return { name, kind: inode.kind, ino: inode.ino };
}

/** Directories that were fetched together. */
interface Batch {
  isUsed: boolean;
}

/** The name's own entry, or what a whole picture says of names that it has not. */
function findEntry({ picture }: ServedInode, name: string): Entry | undefined {
  const entry = picture?.entries.get(name);
  if (entry !== undefined || picture?.isComplete !== true || picture.unknown.has(name))
    return entry;
  return { inode: undefined, stamp: picture.stamp };
}
