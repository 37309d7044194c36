import type { FileSystem } from "../../../kernel/index.ts";
import type { Sandbox } from "../../provider.ts";
import { carryBack } from "./carry-back.ts";
import { carryOut } from "./carry-out.ts";
import { listSandbox } from "./list-sandbox.ts";
import { listTree } from "./list-tree.ts";
import { ancestorsOf, compareTrees, type Tree, type TreeChanges } from "./tree.ts";

export interface CarriedFiles {
  readonly count: number;
  readonly bytes: number;
  readonly missing: ReadonlyMap<string, string>;
}

/** The workspace here and the one of a sandbox: how both looked when they were last the same, file by file. */
export class CarriedTrees {
  readonly #sandbox: Sandbox;
  readonly #home: FileSystem;
  #here: Tree = new Map();
  readonly #there: Tree = new Map();

  constructor(sandbox: Sandbox, home: FileSystem) {
    this.#sandbox = sandbox;
    this.#home = home;
  }

  get ref(): string {
    return this.#sandbox.ref;
  }

  /** What has changed here goes there. How many files. SandboxError. */
  async carryOut(signal: AbortSignal): Promise<number> {
    const tree = await listTree(this.#home);
    const changes = compareTrees(this.#here, tree);
    const count = changes.changed.length + changes.removed.length;
    if (count > 0) {
      await carryOut(this.#sandbox, { home: this.#home, tree, changes, signal });
      await this.#learnThere(changes, signal);
    }
    this.#here = tree;
    return count;
  }

  /** What has changed there comes here. SandboxError. */
  async carryBack(signal: AbortSignal): Promise<CarriedFiles> {
    const tree = await listSandbox(this.#sandbox, signal);
    const changes = compareTrees(this.#there, tree);
    const count = changes.changed.length + changes.removed.length;
    if (count === 0) return { count, bytes: 0, missing: new Map() };
    const carried = await carryBack(this.#sandbox, { home: this.#home, tree, changes, signal });
    for (const path of changes.removed) {
      this.#here.delete(path);
      this.#there.delete(path);
    }
    for (const [path, entry] of carried.here) {
      this.#here.set(path, entry);
      const there = tree.get(path);
      if (there !== undefined) this.#there.set(path, there);
    }
    return { count, bytes: carried.bytes, missing: carried.missing };
  }

  /** How what was brought there looks there. What else changed there is still to be carried back. */
  async #learnThere({ changed, removed }: TreeChanges, signal: AbortSignal): Promise<void> {
    const tree = await listSandbox(this.#sandbox, signal);
    for (const path of removed) this.#there.delete(path);
    for (const path of [...ancestorsOf([...changed, ...removed]), ...changed]) {
      const entry = tree.get(path);
      if (entry !== undefined) this.#there.set(path, entry);
    }
  }
}
