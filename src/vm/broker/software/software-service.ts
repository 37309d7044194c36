import { KernelError, type Policy } from "../../../kernel/index.ts";
import { encodePage } from "../../wire/listing.ts";
import type { BrokerMethods, BrokerReply } from "../../wire/requests.ts";
import type { BrokerServices } from "../cell-requests.ts";
import type { SoftwareFolder } from "./software-folder.ts";

/** A folder of the host and the place in the VM where it is mounted. */
export interface OpenSoftware {
  readonly folder: SoftwareFolder;
  readonly at: string;
}

type FsOperation = "read" | "readdir" | "stat";

/** Entries looked at for one page; more than a page takes only where names are very short. */
const PAGE_ENTRIES = 1024;

/**
 * Serves one VM its software: these folders, and in them only what the VM's policy lets guests
 * read. Who in the VM asks is not known here, so what is denied to guests is denied to all of it.
 */
export class SoftwareService implements Pick<BrokerServices, "listSoftware" | "readSoftware"> {
  readonly #software: readonly OpenSoftware[];
  readonly #policy: Policy;
  readonly #canAsk: boolean;
  /** The names of the last directory that took more than a page. */
  #unfinished: { readonly key: string; readonly names: readonly Buffer[] } | undefined;

  /** `canAsk`: whether what the policy says to ask for may have been allowed. */
  constructor(software: readonly OpenSoftware[], policy: Policy, canAsk: boolean) {
    this.#software = software;
    this.#policy = policy;
    this.#canAsk = canAsk;
  }

  readonly listSoftware = async ({
    folder: number,
    path,
    from,
  }: BrokerMethods["listSoftware"]["params"]): Promise<BrokerReply<"listSoftware">> => {
    // To find one file, its directory is listed.
    const folder = this.#grant(number, path, ["readdir", "stat", "read"]);
    const key = `${number}:${path}`;
    const kept = from > 0 && this.#unfinished?.key === key ? this.#unfinished.names : undefined;
    const names = kept ?? (await folder.names(path));
    const entries = await folder.entries(path, names.slice(from, from + PAGE_ENTRIES));
    const { bytes, count } = encodePage(entries);
    const next = from + count;
    const isEnd = next >= names.length;
    this.#unfinished = isEnd ? undefined : { key, names };
    return { value: isEnd ? {} : { next }, body: bytes };
  };

  readonly readSoftware = async ({
    folder: number,
    path,
    offset,
    length,
  }: BrokerMethods["readSoftware"]["params"]): Promise<BrokerReply<"readSoftware">> => {
    const folder = this.#grant(number, path, ["read"]);
    const { bytes, sizeBytes, mtimeMs } = await folder.read(path, offset, length);
    return { value: { sizeBytes, mtimeMs }, body: bytes };
  };

  /** ENODEV for a folder the VM has not; EACCES unless the policy lets guests do one of these. */
  #grant(number: number, path: string, operations: readonly FsOperation[]): SoftwareFolder {
    const software = this.#software[number];
    if (software === undefined) throw new KernelError("ENODEV");
    const subject = path === "" ? software.at : `${software.at}/${path}`;
    const decisions = operations.map((operation) => this.#policy.decide("fs", operation, subject));
    const isDenied = decisions.every(
      ({ mode }) => mode === "deny" || (mode === "ask" && !this.#canAsk),
    );
    if (!isDenied) return software.folder;
    throw new KernelError("EACCES", undefined, `permissions.${decisions[0]?.rule ?? "fs"}`);
  }
}
