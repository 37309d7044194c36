// Which VMs the servers of a home have had. A file for each, named as the VM, holds the server's run.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { VmHistory } from "../../vm/index.ts";

/** In place of a server's run. */
const unused = "unused";
/** Who comes back after that knows that a VM does not last. */
const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Remembers VMs beyond the server that had them. */
export class VmRecords implements VmHistory {
  readonly #directory: string;
  readonly #serverRun: string;

  /** `serverRun` tells this server from those before it. */
  constructor(homeDirectory: string, serverRun: string) {
    this.#directory = join(homeDirectory, "vms");
    this.#serverRun = serverRun;
    this.#forgetOld();
  }

  noteCreated(id: string): string | undefined {
    const loss = this.findLoss(id);
    this.#write(id, this.#serverRun);
    if (loss === undefined) return undefined;
    return `The VM "${id}" is new and empty: ${loss}, and the VM's earlier files and processes are gone.`;
  }

  /** Notes a VM that has ended because nobody used it. */
  noteUnused(id: string): void {
    this.#write(id, unused);
  }

  noteDestroyed(id: string): void {
    rmSync(this.#fileOf(id), { force: true });
  }

  findLoss(id: string): string | undefined {
    const file = isName(id) ? this.#fileOf(id) : undefined;
    if (file === undefined || !existsSync(file)) return undefined;
    const run = readFileSync(file, "utf8");
    if (run === this.#serverRun) return undefined;
    return run === unused ? "nobody used it for a while" : "the server that had it has ended";
  }

  #write(id: string, run: string): void {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    writeFileSync(this.#fileOf(id), run, { mode: 0o600 });
  }

  #fileOf(id: string): string {
    return join(this.#directory, id);
  }

  #forgetOld(): void {
    if (!existsSync(this.#directory)) return;
    const before = Date.now() - keptMs;
    for (const id of readdirSync(this.#directory)) {
      if (statSync(this.#fileOf(id)).mtimeMs < before) this.noteDestroyed(id);
    }
  }
}

/** Clients ask for any text. */
function isName(id: string): boolean {
  return /^[a-z0-9-]{1,63}$/.test(id);
}
