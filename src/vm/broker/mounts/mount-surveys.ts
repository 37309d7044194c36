/** What a cell is told of whole directories of a mount, and of what has changed in them since. */
import {
  type FileSystem,
  type Follower,
  type Inode,
  KernelError,
  PlainFollower,
  type Survey,
  type SurveyedFile,
} from "../../../kernel/index.ts";
import {
  type ChangedNode,
  CONTENT_BYTES,
  encodeChanges,
  MOUNT_READ_BYTES,
  type MountCall,
  SURVEY_NAMES,
} from "../../wire/mount-requests.ts";
import {
  encodeSurvey,
  type SurveyedName,
  type SurveyedNode,
  surveyBytes,
} from "../../wire/survey-body.ts";
import type { MountReply } from "./mount-calls.ts";
import type { MountPolicy } from "./mount-policy.ts";
import { type Node, type NodeTable, pathOf } from "./node-table.ts";

/** A longer target of a link is asked for by itself. */
const TARGET_CHARACTERS = 256;
/**
 * A reply with so much of a survey takes no more: it has room for what was begun by then, the longest page of a
 * directory beside the first and the longest page of the first, of 290,000 bytes each.
 */
const SURVEY_BYTES = 300_000;
/** Names that are looked at for one survey of whole directories, but for those of the last one. */
const WHOLE_NAMES = 2048;
/** Directories that are followed for one cell; what is behind changes that it has not asked for. */
const FOLLOWED_LIMIT = 4096;
const CHANGES_BYTES = 1 << 19;

export interface MountSurveysParts {
  readonly fileSystem: FileSystem;
  readonly nodes: NodeTable;
  readonly policy: MountPolicy;
}

type SurveyCall = Extract<MountCall, { call: "survey" }>;

export class MountSurveys {
  readonly #nodes: NodeTable;
  readonly #policy: MountPolicy;
  readonly #follower: Follower;
  /** Directories that are followed: their numbers stay good. */
  readonly #followed = new Map<Inode, number>();
  /** What has changed, by number, for when the cell asks. Null: anything in it. */
  #changed = new Map<number, Set<string> | null>();
  #isAnything = false;

  constructor({ fileSystem, nodes, policy }: MountSurveysParts) {
    this.#nodes = nodes;
    this.#policy = policy;
    this.#follower = fileSystem.follow?.() ?? new PlainFollower(fileSystem);
  }

  close(): void {
    this.#follower.close();
  }

  /** ENOTDIR, EACCES and whatever else is wrong with the first; the others are there or not. */
  async survey({ nodes, cursor, limit }: SurveyCall): Promise<MountReply> {
    const [first = -1] = nodes;
    const isWhole = cursor === 0 && limit === undefined;
    const whole = isWhole ? await this.#surveyWhole(nodes) : [];
    const hasFirst = whole.some(({ node }) => node === first);
    if (hasFirst) return { value: {}, body: encodeSurvey(whole) };
    const used = whole.reduce((sum, one) => sum + surveyBytes(one), 0);
    const page = await this.#surveyOne(first, { cursor, limit, used });
    return { value: {}, body: encodeSurvey([...whole, page]) };
  }

  async contents(nodes: readonly number[]): Promise<MountReply> {
    const inodes = nodes.map((node) => this.#readable(node));
    const wanted = inodes.filter((inode) => inode !== undefined);
    const limits = { limitBytes: CONTENT_BYTES, totalBytes: MOUNT_READ_BYTES };
    const { lengths: found, bytes } = await this.#follower.contents(wanted, limits);
    const next = found.values();
    const lengths = inodes.map((inode) => (inode === undefined ? -1 : (next.next().value ?? -1)));
    return { value: { lengths }, body: bytes };
  }

  async changes(): Promise<MountReply> {
    await this.#collect();
    const rows = [...this.#changed].map(
      ([node, names]): ChangedNode => [node, names === null ? null : [...names]],
    );
    const body = encodeChanges(rows);
    const isAnything = this.#isAnything || body.length > CHANGES_BYTES;
    this.#changed = new Map();
    this.#isAnything = false;
    return isAnything ? { value: { isAnything }, body: encodeChanges([]) } : { value: {}, body };
  }

  async #surveyOne(
    id: number,
    { cursor, limit, used }: Pick<SurveyCall, "cursor" | "limit"> & { readonly used: number },
  ): Promise<SurveyedNode> {
    const node = this.#nodes.getDirectory(id);
    this.#policy.require(pathOf(node), "readdir");
    let survey = await this.#follower.survey(node.inode, cursor, limit ?? SURVEY_NAMES);
    const { isFollowed } = survey;
    if (isFollowed) await this.#keepFollowed(node);
    let page = this.#show(node, survey);
    const hasRoom = (): boolean => used + surveyBytes(page) < SURVEY_BYTES;
    while (limit === undefined && page.cursor !== undefined && hasRoom()) {
      survey = await this.#follower.survey(node.inode, page.cursor, SURVEY_NAMES);
      const next = this.#show(node, survey);
      page = { ...page, names: [...page.names, ...next.names], cursor: next.cursor };
    }
    return page;
  }

  /** Those that are small, as many as there is room for. */
  async #surveyWhole(ids: readonly number[]): Promise<SurveyedNode[]> {
    const nodes = ids.flatMap((id) => this.#listable(id));
    const surveys = await this.#follower.surveyWhole(
      nodes.map(({ inode }) => inode),
      { limit: SURVEY_NAMES, totalNames: WHOLE_NAMES },
    );
    const whole: SurveyedNode[] = [];
    let bytes = 0;
    for (const [at, node] of nodes.entries()) {
      const survey = surveys[at];
      if (survey === undefined || bytes >= SURVEY_BYTES) continue;
      if (survey.isFollowed) await this.#keepFollowed(node);
      const shown = this.#show(node, survey);
      whole.push(shown);
      bytes += surveyBytes(shown);
    }
    return whole;
  }

  #show(directory: Node, { stat, cursor, isFollowed, files }: Survey): SurveyedNode {
    const path = pathOf(directory);
    const canKnowAll = this.#policy.canKnowAllIn(path);
    const names = files.map((file) =>
      canKnowAll || this.#policy.canKnow(`${path}/${file.name}`, file.inode)
        ? this.#showFile(directory, file)
        : hidden(file),
    );
    return { node: directory.id, stat, cursor, isFollowed, names };
  }

  #showFile(parent: Node, { name, inode, stat, target = "" }: SurveyedFile): SurveyedName {
    const isShort = target !== "" && target.length <= TARGET_CHARACTERS;
    const { id } = this.#nodes.add(inode, parent, name);
    return { name, node: id, stat, target: isShort ? target : undefined };
  }

  /** Nothing for what is no directory that the VM may list. */
  #listable(id: number): readonly Node[] {
    try {
      const node = this.#nodes.getDirectory(id);
      return this.#policy.can(pathOf(node), "readdir") ? [node] : [];
    } catch (error) {
      if (error instanceof KernelError) return [];
      throw error;
    }
  }

  /** Undefined for what is no file, is not known any more, or may not be read. */
  #readable(id: number): Inode | undefined {
    const node = this.#nodes.find(id);
    if (node?.inode.kind !== "file") return undefined;
    return this.#policy.can(pathOf(node), "read") ? node.inode : undefined;
  }

  async #keepFollowed({ inode, id }: Node): Promise<void> {
    if (!this.#followed.has(inode)) this.#nodes.pin(id);
    this.#followed.set(inode, id);
    if (this.#followed.size > FOLLOWED_LIMIT) await this.#collect();
  }

  async #collect(): Promise<void> {
    const changed = await this.#follower.changes();
    if (changed === undefined) return this.#letAllGo();
    for (const { directory, names } of changed) {
      const node = this.#followed.get(directory);
      if (node === undefined) continue;
      const before = this.#changed.get(node);
      const isWhole = names === undefined || before === null;
      this.#changed.set(node, isWhole ? null : new Set([...(before ?? []), ...names]));
      if (names === undefined) this.#letGo(directory, node);
    }
    if (this.#changed.size > 2 * FOLLOWED_LIMIT) this.#letAllGo();
    return undefined;
  }

  /** Whatever the cell keeps is out of date. */
  #letAllGo(): void {
    for (const [directory, node] of this.#followed) this.#letGo(directory, node);
    this.#changed.clear();
    this.#isAnything = true;
  }

  #letGo(directory: Inode, node: number): void {
    this.#followed.delete(directory);
    this.#nodes.unpin(node);
  }
}

/** What the VM may not know more of. */
function hidden({ name, stat: { kind, ino } }: SurveyedFile): SurveyedName {
  return { name, node: undefined, stat: { ...UNKNOWN, kind, ino }, target: undefined };
}

const UNKNOWN = {
  mode: 0,
  uid: 0,
  gid: 0,
  size: 0,
  nlink: 0,
  dev: 0,
  rdev: 0,
  blocks: 0,
  atimeMs: 0,
  mtimeMs: 0,
  ctimeMs: 0,
} as const;
