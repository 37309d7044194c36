// What is kept of a local sandbox on disk: its record and its home, in a directory of its own.

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { SandboxError, type SandboxSpec } from "../../provider.ts";
import type { HostIds } from "./host-ids.ts";

export interface LocalRecord {
  readonly ref: string;
  readonly createdAtMs: number;
  /** Which server runs it, or ran it last. */
  readonly server: string;
  readonly spec: SandboxSpec;
}

export class Records {
  readonly #directory: string;
  readonly #owner: HostIds | undefined;

  /** Homes belong to `owner`, where that is not the server. */
  constructor(stateDirectory: string, owner: HostIds | undefined) {
    this.#directory = stateDirectory;
    this.#owner = owner;
  }

  homeOf(ref: string): string {
    return join(this.#directory, ref, "home");
  }

  async create(spec: SandboxSpec, server: string): Promise<LocalRecord> {
    const record = { ref: randomBytes(8).toString("hex"), createdAtMs: Date.now(), server, spec };
    const home = this.homeOf(record.ref);
    await mkdir(join(home, ".."), { recursive: true, mode: 0o700 });
    await mkdir(home, { mode: 0o700 });
    if (this.#owner !== undefined) await chown(home, this.#owner.uid, this.#owner.gid);
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

  /** Its processes are gone. A home may hold directories that not even their owner can enter. */
  async remove(ref: string): Promise<void> {
    const directory = join(this.#directory, ref);
    await rm(directory, { recursive: true, force: true }).catch(async () => {
      await promisify(execFile)("chmod", ["-R", "u+rwx", "--", directory]);
      await rm(directory, { recursive: true, force: true });
    });
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
