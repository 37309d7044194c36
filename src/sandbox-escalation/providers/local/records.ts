// What is kept of a local sandbox on disk: its record, its home, and what it changed of its root, in a directory of
// its own.

import { randomBytes } from "node:crypto";
import { chown, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError, type SandboxSpec } from "../../provider.ts";
import { removeTree } from "./writable-root/remove-tree.ts";
import type { ConfinedHost } from "./writable-root/run-confined.ts";

export interface LocalRecord {
  readonly ref: string;
  readonly createdAtMs: number;
  /** Which server runs it, or ran it last. */
  readonly server: string;
  readonly spec: SandboxSpec;
}

export class Records {
  readonly #directory: string;
  readonly #host: ConfinedHost;

  /** Homes belong to whom sandboxes become, where that is not the server. */
  constructor(stateDirectory: string, host: ConfinedHost) {
    this.#directory = stateDirectory;
    this.#host = host;
  }

  /** All that is kept of one. */
  directoryOf(ref: string): string {
    return join(this.#directory, ref);
  }

  homeOf(ref: string): string {
    return join(this.#directory, ref, "home");
  }

  async create(spec: SandboxSpec, server: string): Promise<LocalRecord> {
    const record = { ref: randomBytes(8).toString("hex"), createdAtMs: Date.now(), server, spec };
    const home = this.homeOf(record.ref);
    await mkdir(join(home, ".."), { recursive: true, mode: 0o700 });
    await mkdir(home, { mode: 0o700 });
    const { become } = this.#host;
    if (become !== undefined) await chown(home, become.uid, become.gid);
    await this.save(record);
    return record;
  }

  async save(record: LocalRecord): Promise<void> {
    const file = join(this.#directory, record.ref, RECORD);
    await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  /** SandboxError "gone". */
  async read(ref: string): Promise<LocalRecord> {
    const found = /^[0-9a-f]{16}$/.test(ref) ? await this.#find(ref) : undefined;
    if (found === undefined) throw new SandboxError("gone", `There is no sandbox ${ref}.`);
    return found;
  }

  async list(owner: string): Promise<LocalRecord[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const found = await Promise.all(names.map((name) => this.#find(name)));
    return found
      .filter((record) => record !== undefined)
      .filter(({ spec }) => spec.owner === owner);
  }

  /** Its processes are gone. */
  async remove(ref: string): Promise<void> {
    await removeTree(this.#host, this.directoryOf(ref));
  }

  async #find(ref: string): Promise<LocalRecord | undefined> {
    const text = await readFile(join(this.#directory, ref, RECORD), "utf8").catch(() => undefined);
    if (text === undefined) return undefined;
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value.ref === ref ? value : undefined;
  }
}

const RECORD = "record.json";

function isRecord(value: unknown): value is LocalRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "ref" in value &&
    "createdAtMs" in value &&
    typeof value.createdAtMs === "number" &&
    "server" in value &&
    typeof value.server === "string" &&
    "spec" in value &&
    typeof value.spec === "object" &&
    value.spec !== null &&
    "owner" in value.spec &&
    "limits" in value.spec
  );
}
