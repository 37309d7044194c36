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
    const isLost = this.isLost(id);
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    writeFileSync(this.#fileOf(id), this.#serverRun, { mode: 0o600 });
    if (!isLost) return undefined;
    return `The VM "${id}" is new and empty: the server that had it has ended, and the VM's earlier files and processes are gone.`;
  }

  noteDestroyed(id: string): void {
    rmSync(this.#fileOf(id), { force: true });
  }

  isLost(id: string): boolean {
    const file = isName(id) ? this.#fileOf(id) : undefined;
    if (file === undefined || !existsSync(file)) return false;
    return readFileSync(file, "utf8") !== this.#serverRun;
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
