/** Named VMs: makes, finds and ends them. Owns the pool of cells. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CellPool } from "./broker/cell-pool.ts";
import { Disk } from "./broker/folders/disk.ts";
import { GrantedToolkits, policyOf, toolkitsInVm } from "./broker/toolkits/granted-toolkits.ts";
import { CodeMode } from "./code-mode/code-mode.ts";
import { GuestLog } from "./guest-log.ts";
import { HomeSpace } from "./home-space.ts";
import { HostError } from "./host-error.ts";
import type { DiskSpace } from "./log-space.ts";
import { memoryBytesOf, requireMemoryOfAll } from "./memory-options.ts";
import { Vm } from "./vm.ts";
import { makeVmName } from "./vm-name.ts";
import { checkVmOptions, type VmOptions } from "./vm-options.ts";

export interface VmsOptions {
  /** Cells kept ready; a VM made while one waits starts in milliseconds. */
  readonly poolSize?: number;
  /** The most VMs at one time. */
  readonly maxVms?: number;
  /** Memory all VMs may have together, in MiB; three quarters of the host's unless said otherwise. */
  readonly maxMemoryMb?: number;
  /** Where long outputs are kept; a temporary directory unless said otherwise. */
  readonly logDirectory?: string;
  /** Disk for them: 8 GiB unless said otherwise, and never the last of the disk. */
  readonly logSpace?: DiskSpace;
  /** What every VM gets, unless its own options say otherwise; variables, limits, software, toolkits and commands are put together. */
  readonly defaults?: Omit<VmOptions, "name">;
  /** Whose thread works on folders of the host, where others use it, too: who made it closes it. */
  readonly disk?: Disk;
  /** Remembers VMs beyond this process; without it nothing is said of VMs of the past. */
  readonly history?: VmHistory;
  readonly log?: (line: string) => void;
}

/** Which VMs there were before this process, by their names. */
export interface VmHistory {
  /** Notes a VM that has been made. Says what became of an earlier one of its name, if that was lost. */
  noteCreated(id: string): string | undefined;
  /** Notes a VM that was destroyed because somebody asked for it: it is not missed. */
  noteDestroyed(id: string): void;
  /** How a VM of that name was lost that was not made again. */
  findLoss(id: string): string | undefined;
}

const POOL_SIZE = 2;
const MAX_VMS = 200;
/** Disk that the logs of all VMs may take, where nothing else is said. */
const LOGS_LIMIT_MB = 8192;
/** The part of the host's memory that VMs get. */
const HOST_SHARE = 0.75;

/** A VM that was asked for by its name. */
export interface GotVm {
  readonly vm: Vm;
  readonly isNew: boolean;
}

export class Vms {
  /** Memory all VMs may have together. */
  readonly maxMemoryMb: number;
  readonly #pool: CellPool;
  readonly #disk: Disk;
  readonly #ownDisk: Disk | undefined;
  /** Runs code that calls tools. */
  readonly code: CodeMode;
  readonly #vms = new Map<string, Vm>();
  readonly #maxVms: number;
  readonly #defaults: Omit<VmOptions, "name">;
  readonly #log: GuestLog;
  readonly #history: VmHistory | undefined;
  readonly #givenLogDirectory: string | undefined;
  #ownLogDirectory: string | undefined;
  #logSpace: DiskSpace | undefined;
  #isClosed = false;

  constructor(options: VmsOptions = {}) {
    const { poolSize = POOL_SIZE, maxVms = MAX_VMS, log = () => undefined } = options;
    this.#maxVms = maxVms;
    this.maxMemoryMb =
      options.maxMemoryMb ?? Math.floor((hostMemoryBytes() * HOST_SHARE) / 1024 / 1024);
    this.#defaults = options.defaults ?? {};
    this.#log = new GuestLog(log);
    this.#history = options.history;
    this.code = new CodeMode(this.#log.open("code mode").add);
    this.#givenLogDirectory = options.logDirectory;
    this.#logSpace = options.logSpace;
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "cjs";
    const entry = fileURLToPath(new URL(`./cell/main.${extension}`, import.meta.url));
    const memoryLimitBytes = memoryBytesOf(this.#defaults);
    const totalMemoryBytes = this.maxMemoryMb * 1024 * 1024;
    this.#pool = new CellPool({ entry, size: poolSize, memoryLimitBytes, totalMemoryBytes, log });
    this.#pool.fill();
    this.#ownDisk = options.disk === undefined ? new Disk() : undefined;
    this.#disk = options.disk ?? this.#ownDisk ?? new Disk();
    if ((this.#defaults.software ?? []).length > 0) this.#disk.start();
  }

  /** VM_EXISTS, VM_NAME_INVALID, VM_OPTIONS_INVALID, SOFTWARE_UNAVAILABLE, VMS_LIMIT, VM_START_FAILED, SERVER_CLOSING. */
  async create(own: VmOptions = {}): Promise<Vm> {
    if (this.#isClosed) throw new HostError("SERVER_CLOSING");
    const options = withDefaults(own, this.#defaults);
    checkVmOptions(options);
    requireMemoryOfAll(options, this.maxMemoryMb);
    const id = options.name ?? this.#freeName();
    if (this.#vms.has(id)) throw new HostError("VM_EXISTS", { vm: id });
    if (this.#vms.size >= this.#maxVms) throw new HostError("VMS_LIMIT", { count: this.#vms.size });
    const lines = this.#log.open(`VM ${id}`);
    const vm = new Vm({
      id,
      options,
      pool: this.#pool,
      disk: this.#disk,
      log: lines.add,
      logDirectory: this.#logDirectory(),
      logSpace: this.#findLogSpace(),
      forget: () => {
        this.#vms.delete(id);
        lines.close();
      },
    });
    this.#vms.set(id, vm);
    try {
      await vm.start();
    } catch (error) {
      await vm.destroy();
      throw error;
    }
    this.#remember(vm);
    return vm;
  }

  /** The VM of that name, made if there is none. VM_DIFFERS if it is there with other settings; else as `create`. */
  async getOrCreate(own: VmOptions & { readonly name: string }): Promise<GotVm> {
    const found = this.#vms.get(own.name);
    if (found === undefined) return { vm: await this.create(own), isNew: true };
    const problem = found.findContradiction(own);
    if (problem !== undefined) throw new HostError("VM_DIFFERS", { vm: own.name, problem });
    await found.start();
    return { vm: found, isNew: false };
  }

  find(id: string): Vm | undefined {
    return this.#vms.get(id);
  }

  /** VM_NOT_FOUND, VM_GONE. */
  get(id: string): Vm {
    const vm = this.#vms.get(id);
    if (vm !== undefined) return vm;
    const cause = this.#history?.findLoss(id);
    if (cause !== undefined) throw new HostError("VM_GONE", { vm: id, cause });
    throw new HostError("VM_NOT_FOUND", { vm: id.slice(0, 80) });
  }

  list(): Vm[] {
    return [...this.#vms.values()];
  }

  /** What a new VM knows of the host's tools. */
  get toolkits(): GrantedToolkits {
    return new GrantedToolkits(toolkitsInVm(this.#defaults), policyOf(this.#defaults));
  }

  /** Destroys every VM and ends every cell. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all(this.list().map((vm) => vm.destroy()));
    await this.code.close();
    await this.#pool.close();
    await this.#ownDisk?.close();
    if (this.#ownLogDirectory !== undefined)
      await rm(this.#ownLogDirectory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #remember(vm: Vm): void {
    const history = this.#history;
    if (history === undefined) return;
    const loss = history.noteCreated(vm.id);
    if (loss !== undefined) vm.noteLoss(loss);
    // VMs that end with this process are missed. Another VM may have the name by then.
    vm.on("destroyed", () => {
      if (!this.#isClosed && !this.#vms.has(vm.id)) history.noteDestroyed(vm.id);
    });
  }

  #freeName(): string {
    let name = makeVmName();
    while (this.#vms.has(name)) name = makeVmName();
    return name;
  }

  #findLogSpace(): DiskSpace {
    this.#logSpace ??= new HomeSpace({
      directory: this.#logDirectory(),
      limitMb: LOGS_LIMIT_MB,
      limit: "the logs of all VMs",
    });
    return this.#logSpace;
  }

  #logDirectory(): string {
    if (this.#givenLogDirectory !== undefined) return this.#givenLogDirectory;
    this.#ownLogDirectory ??= mkdtempSync(join(tmpdir(), "agentos-mcp-"));
    return this.#ownLogDirectory;
  }
}

/** Of the machine, or of the control group that this process is in. */
function hostMemoryBytes(): number {
  const group = process.constrainedMemory();
  return group > 0 ? Math.min(group, totalmem()) : totalmem();
}

function withDefaults(own: VmOptions, defaults: VmOptions): VmOptions {
  return {
    ...defaults,
    ...own,
    env: { ...defaults.env, ...own.env },
    limits: { ...defaults.limits, ...own.limits },
    permissions: { ...defaults.permissions, ...own.permissions },
    software: [...(defaults.software ?? []), ...(own.software ?? [])],
    toolkits: [...(defaults.toolkits ?? []), ...(own.toolkits ?? [])],
    commands: [...(defaults.commands ?? []), ...(own.commands ?? [])],
  };
}
