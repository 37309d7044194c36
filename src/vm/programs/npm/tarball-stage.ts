/** Tarballs extracted beside node_modules, from where they are moved into place. */
import { extractTarball } from "./extract-tarball.ts";
import { NpmFailure } from "./failure.ts";
import { listNames, removeTree } from "./files.ts";
import type { JsonObject } from "./json.ts";
import { findManifest } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { below } from "./paths.ts";

export interface StagedTarball {
  readonly content: string;
  readonly integrity: string;
  readonly manifest: JsonObject;
}

/** Whoever makes it clears it. */
export class TarballStage {
  readonly #run: NpmRun;
  readonly #folder: string;
  readonly #ready = new Map<string, StagedTarball>();
  #count = 0;

  constructor(run: NpmRun, root: string) {
    this.#run = run;
    this.#folder = below(root, "node_modules/.npm-staging");
  }

  /** Extracts it, unless it is. Fails with an NpmFailure. */
  async look(path: string): Promise<StagedTarball> {
    const known = this.#ready.get(path);
    if (known !== undefined) return known;
    this.#count += 1;
    const content = below(this.#folder, String(this.#count));
    const integrity = await extractTarball(this.#run.sys, path, content);
    const file = await findManifest(this.#run.sys, content);
    if (file === undefined)
      throw new NpmFailure(`${path} has no package.json.`, { code: "ENOPACKAGEJSON" });
    const staged = { content, integrity, manifest: file.content };
    this.#ready.set(path, staged);
    return staged;
  }

  /** The same, for one place alone: its folder will be moved there. */
  async take(path: string): Promise<StagedTarball> {
    const staged = await this.look(path);
    this.#ready.delete(path);
    return staged;
  }

  async clear(): Promise<void> {
    const { sys } = this.#run;
    await removeTree(sys, this.#folder);
    const modules = this.#folder.slice(0, this.#folder.lastIndexOf("/"));
    if (this.#count > 0 && (await listNames(sys, modules)).length === 0)
      await removeTree(sys, modules);
  }
}
