// The layers of prepared roots on disk: what archives and directories of the operator's were unpacked to, and what
// sandboxes kept. Many sandboxes share them; nobody writes to them.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../../../provider.ts";
import { hasRoomFor } from "../disk-watch.ts";
import { listUsedLayers, readLayers, writeLayers } from "./layer-list.ts";
import { measureConfined } from "./measure-confined.ts";
import { removeTree } from "./remove-tree.ts";
import { describeImage, isKeptName, type RootSource, readRootSource } from "./root-source.ts";
import { type ConfinedHost, runConfined } from "./run-confined.ts";
import { unpackRoot } from "./unpack-root.ts";
import type { WritableRoot } from "./writable-root.ts";

type Unpackable = Exclude<RootSource, { readonly kind: "kept" }>;

export class Roots {
  readonly #directory: string;
  readonly #host: ConfinedHost;
  readonly #unpacking = new Map<string, Promise<string>>();
  #keeping: Promise<void> = Promise.resolve();

  /** Below a directory that this user alone can enter. */
  constructor(directory: string, host: ConfinedHost) {
    this.#directory = directory;
    this.#host = host;
  }

  /**
   * The root of a sandbox whose own directory this is: made of the image the first time, and the same ever after.
   * SandboxError "unsupported", "failed", "gone" for layers that somebody removed.
   */
  async open(directory: string, image: string, signal?: AbortSignal): Promise<WritableRoot> {
    const changes = join(directory, "changes");
    const known = await readLayers(directory);
    if (known?.every((layer) => existsSync(layer)) === false)
      throw new SandboxError("gone", "A layer of the sandbox's root is not there any more.");
    const layers = known ?? (await this.#layersOf(image, signal));
    if (known === undefined) {
      await this.#makeChanges(changes);
      await writeLayers(directory, layers);
    }
    return { layers, changes, ids: this.#host.ids };
  }

  /** The uppermost first. */
  async #layersOf(image: string, signal?: AbortSignal): Promise<readonly string[]> {
    const source = readRootSource(image);
    if (source.kind === "kept") return await this.#layersOfKept(source.name);
    const place = join(this.#directory, UNPACKED, `${this.#host.ids.kind}-${source.mark}`);
    return [await untilAborted(this.#unpackShared(source, place), signal)];
  }

  /** An empty `upper` and `work` for one sandbox. */
  async #makeChanges(changes: string): Promise<void> {
    for (const path of [changes, join(changes, "upper"), join(changes, "work")]) {
      await mkdir(path, { recursive: true, mode: 0o755 });
      await this.#giveAway(path);
    }
  }

  /**
   * Keeps what a sandbox changed under a name that `image` takes. SandboxError "unsupported", "limit", "failed"; the
   * signal's reason. One after the other: who looks whether there is room for one more finds all that came before.
   */
  keep(name: string, root: WritableRoot, signal: AbortSignal): Promise<string> {
    const kept = this.#keeping.then(() => this.#keep(name, root, signal));
    this.#keeping = kept.then(
      () => undefined,
      () => undefined,
    );
    return untilAborted(kept, signal);
  }

  async #keep(name: string, root: WritableRoot, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { layers, changes } = root;
    await this.#checkKeeping(name, layers);
    const use = await measureConfined(this.#host, [changes]);
    if (use === undefined || !(await hasRoomFor(this.#directory, use.bytes)))
      throw new SandboxError("limit", "The disk of this machine has no room for a snapshot.");
    const made = await this.#makeNew(KEPT);
    const limit = AbortSignal.timeout(KEEP_LIMIT_MS);
    try {
      await mkdir(join(made, LAYER));
      await this.#giveAway(join(made, LAYER));
      const argv = ["cp", "-a", "/b/upper/.", "/a/"];
      const directories = [join(made, LAYER), changes];
      const either = AbortSignal.any([signal, limit]);
      await runConfined(this.#host, { argv, directories, signal: either });
      await writeLayers(made, layers);
      await rename(made, join(this.#directory, KEPT, name));
    } catch (error) {
      await removeTree(this.#host, made);
      if (!limit.aborted || signal.aborted) throw error;
      throw new SandboxError("limit", "The sandbox changes too much to be kept in five minutes.");
    }
    return name;
  }

  async #checkKeeping(name: string, layers: readonly string[]): Promise<void> {
    if (!isKeptName(name))
      throw new SandboxError("unsupported", `"${name}" cannot be a snapshot's name.`);
    const names = await this.#listKept();
    if (names.includes(name))
      throw new SandboxError("limit", `There is a snapshot "${name}" already: take another name.`);
    if (names.length >= KEPT_LIMIT || layers.length >= LAYER_LIMIT)
      throw new SandboxError(
        "limit",
        "There are too many snapshots: the operator removes some from the home, below sandboxes/local/roots/kept.",
      );
  }

  async #layersOfKept(name: string): Promise<readonly string[]> {
    const place = join(this.#directory, KEPT, name);
    const below = await readLayers(place);
    if (below === undefined)
      throw new SandboxError("unsupported", `${describeImage(name)}: there is no such snapshot.`);
    return [join(place, LAYER), ...below];
  }

  /** Many may wait for it: it goes on when one of them does not any more. */
  #unpackShared(source: Unpackable, place: string): Promise<string> {
    const known = this.#unpacking.get(place);
    if (known !== undefined) return known;
    const unpacking = this.#unpack(source, place).finally(() => this.#unpacking.delete(place));
    this.#unpacking.set(place, unpacking);
    return unpacking;
  }

  async #unpack(source: Unpackable, place: string): Promise<string> {
    const layer = join(place, LAYER);
    if (existsSync(layer)) return layer;
    const made = await this.#makeNew(UNPACKED);
    try {
      await mkdir(join(made, LAYER));
      await this.#giveAway(join(made, LAYER));
      await unpackRoot(this.#host, source, join(made, LAYER));
      await writeFile(join(made, SOURCE), source.path, { mode: 0o600 });
      await rename(made, place);
      await this.#removeOlder(source.path, place);
    } catch (error) {
      await removeTree(this.#host, made);
      // Another server of this home was faster.
      if (!isErrno(error, "ENOTEMPTY") && !isErrno(error, "EEXIST")) throw error;
    }
    return layer;
  }

  /** What the same archive or directory was before, unless a sandbox or a snapshot is made of it. */
  async #removeOlder(path: string, newest: string): Promise<void> {
    const unpacked = join(this.#directory, UNPACKED);
    const users = [join(this.#directory, ".."), join(this.#directory, KEPT)];
    const used = new Set((await Promise.all(users.map(listUsedLayers))).flat());
    for (const name of await readdir(unpacked)) {
      const place = join(unpacked, name);
      const source = await readFile(join(place, SOURCE), "utf8").catch(() => undefined);
      const isOlder = source === path && place !== newest && !used.has(join(place, LAYER));
      if (isOlder) await removeTree(this.#host, place);
    }
  }

  async #makeNew(kind: string): Promise<string> {
    await this.#removeHalfMade(join(this.#directory, kind));
    const made = join(this.#directory, kind, `${NEW}${randomBytes(8).toString("hex")}`);
    await mkdir(made, { recursive: true, mode: 0o700 });
    return made;
  }

  /** What servers that were killed meanwhile have left. */
  async #removeHalfMade(directory: string): Promise<void> {
    for (const name of await readdir(directory).catch(() => [])) {
      const path = join(directory, name);
      const found = name.startsWith(NEW) ? await stat(path).catch(() => undefined) : undefined;
      if (found !== undefined && Date.now() - found.mtimeMs > HALF_MADE_MS)
        await removeTree(this.#host, path);
    }
  }

  async #listKept(): Promise<readonly string[]> {
    const names = await readdir(join(this.#directory, KEPT)).catch(() => []);
    return names.filter((name) => !name.startsWith("."));
  }

  async #giveAway(path: string): Promise<void> {
    const { become } = this.#host;
    if (become !== undefined) await chown(path, become.uid, become.gid);
  }
}

const UNPACKED = "unpacked";
const KEPT = "kept";
const LAYER = "layer";
const SOURCE = "source";
const NEW = ".new-";
/** What a sandbox writes while it is kept is kept, too: without a limit that could go on. */
const KEEP_LIMIT_MS = 300_000;
/** Nothing takes that long. */
const HALF_MADE_MS = 3_600_000;
/** Snapshots are made by guests: the disk they take is bound by this and the limit of each. */
const KEPT_LIMIT = 16;
/** The launcher binds 16 directories: two are the sandbox's own. */
const LAYER_LIMIT = 12;

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  let leave: (() => void) | undefined;
  const aborted = new Promise<void>((resolve) => {
    leave = () => resolve();
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
    signal.throwIfAborted();
    return await work;
  } finally {
    if (leave !== undefined) signal.removeEventListener("abort", leave);
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
