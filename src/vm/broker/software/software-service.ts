import { KernelError, type Policy } from "../../../kernel/index.ts";
import type { BrokerParams, BrokerReply, BrokerServices } from "../../wire/broker-methods.ts";
import type { FolderReader } from "./folder-reader.ts";

/** A folder of the host, and the place in the VM where it is mounted. */
export interface OpenSoftware {
  readonly root: Uint8Array;
  readonly at: string;
}

export interface SoftwareGrant {
  readonly software: readonly OpenSoftware[];
  readonly policy: Policy;
  /** Whether what the policy says to ask for may have been allowed. */
  readonly canAsk: boolean;
}

type FsOperation = "read" | "readdir" | "stat";

type Service = BrokerServices["software"];

/** What one VM has under way in the thread that all share; the rest waits here. */
const UNDER_WAY_LIMIT = 2;

/**
 * Serves one VM its software: these folders, and in them only what the VM's policy lets guests
 * read. Who in the VM asks is not known here, so what is denied to guests is denied to all of it.
 */
export class SoftwareService implements Service {
  readonly #reader: FolderReader;
  readonly #grant: SoftwareGrant;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(reader: FolderReader, grant: SoftwareGrant) {
    this.#reader = reader;
    this.#grant = grant;
  }

  async list({
    folder,
    path,
    from,
  }: BrokerParams<"software.list">): Promise<BrokerReply<"software.list">> {
    // To find one file, its directory is listed.
    const root = this.#check(folder, path, ["readdir", "stat", "read"]);
    const { bytes, next } = await this.#inTurn(() => this.#reader.list(root, path, from));
    return { value: next === undefined ? {} : { next }, body: bytes };
  }

  async read({
    folder,
    path,
    offset,
    length,
  }: BrokerParams<"software.read">): Promise<BrokerReply<"software.read">> {
    const root = this.#check(folder, path, ["read"]);
    const part = await this.#inTurn(() => this.#reader.read(root, path, offset, length));
    const { bytes, sizeBytes, mtimeMs } = part;
    return { value: { sizeBytes, mtimeMs }, body: bytes };
  }

  /** ENODEV for a folder the VM has not; EACCES unless the policy lets guests do one of these. */
  #check(folder: number, path: string, operations: readonly FsOperation[]): Uint8Array {
    const { software, policy, canAsk } = this.#grant;
    const granted = software[folder];
    if (granted === undefined) throw new KernelError("ENODEV");
    const subject = path === "" ? granted.at : `${granted.at}/${path}`;
    const decisions = operations.map((operation) => policy.decide("fs", operation, subject));
    const isGranted = decisions.some(({ mode }) => mode === "allow" || (mode === "ask" && canAsk));
    if (isGranted) return granted.root;
    throw new KernelError("EACCES", undefined, `permissions.${decisions[0]?.rule ?? "fs"}`);
  }

  async #inTurn<T>(step: () => Promise<T>): Promise<T> {
    if (this.#underWay < UNDER_WAY_LIMIT) this.#underWay += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await step();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }
}
