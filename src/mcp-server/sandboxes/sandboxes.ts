// The sandboxes of a server: one controller for each VM, what VMs get to reach theirs, and who looks after all.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FileSystem } from "../../kernel/index.ts";
import {
  Disposal,
  type FindController,
  MOUNT_POINT,
  MovingWorkspace,
  OfferBoard,
  RecordLog,
  reapOrphans,
  SandboxController,
  SandboxError,
  type SandboxProvider,
  sandboxCommand,
  sandboxToolkit,
  transparentCommand,
  UseMeter,
  WORKSPACE,
} from "../../sandbox-escalation/index.ts";
import type { HostCommand, Toolkit } from "../../toolkit-cli/index.ts";
import type { Approver, Disk, MountedVm, VmMount } from "../../vm/index.ts";
import { providersOf, type SandboxConfig } from "../config/sandbox-config.ts";
import { askForSandbox } from "./ask-for-sandbox.ts";
import { makeProvider, sharesWorkspace } from "./make-provider.ts";
import { dayUseOf, offerOf, vmUseOf } from "./offer-of-config.ts";
import { ownerName } from "./owner-name.ts";
import { SandboxEgress } from "./sandbox-egress.ts";
import { type Workspace, Workspaces } from "./workspaces.ts";

export interface SandboxesOptions {
  readonly config: SandboxConfig;
  readonly homeDirectory: string;
  readonly approver: Approver;
  /** Whose thread works on workspaces. */
  readonly disk: Disk;
  readonly log: (line: string) => void;
  /** Where providers find the operator's keys. */
  readonly env?: NodeJS.ProcessEnv;
}

interface Entry {
  readonly controller: SandboxController;
  readonly workspace: Workspace;
  /** What the VM sees of it. */
  readonly mounted: FileSystem;
}

/** How often idleness, limits and lifetimes are looked at. */
const TICK_MS = 5000;

/** Closed with the server, after its VMs. */
export class Sandboxes {
  readonly commands: readonly HostCommand[];
  readonly toolkit: Toolkit;
  readonly #options: SandboxesOptions;
  readonly #entries = new Map<string, Promise<Entry>>();
  readonly #known = new Map<string, Entry>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #records: RecordLog;
  readonly #disposal: Disposal;
  readonly #day: UseMeter;
  readonly #workspaces: Workspaces;
  readonly #egress: SandboxEgress;
  readonly #owner: string;
  readonly #providers: readonly SandboxProvider[];
  readonly #offers: OfferBoard;
  readonly #startedAtMs = Date.now();
  readonly #timer: NodeJS.Timeout;

  constructor(options: SandboxesOptions) {
    const { config, homeDirectory, log } = options;
    this.#options = options;
    const directory = join(homeDirectory, "sandboxes");
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#records = new RecordLog({ file: join(homeDirectory, "logs", "sandboxes.jsonl"), log });
    this.#disposal = new Disposal(this.#records);
    this.#day = new UseMeter({
      of: "this server today",
      limits: dayUseOf(config),
      now: Date.now,
      file: join(directory, "use.json"),
      log,
    });
    this.#owner = ownerName(homeDirectory);
    const parts = {
      env: options.env ?? process.env,
      stateDirectory: join(directory, "local"),
      filesOf: (workspace: string) => this.#workspaces.filesOf(workspace),
    };
    const providers = providersOf(config);
    const offers = providers.map((own) => offerOf(own, makeProvider(own, parts)));
    this.#providers = offers.map(({ provider }) => provider);
    this.#offers = new OfferBoard(offers, Date.now);
    const diskMb = Math.max(...offers.map(({ limits }) => limits.diskMb));
    this.#workspaces = new Workspaces(
      options.disk,
      join(directory, "workspaces"),
      diskMb * 1024 * 1024,
    );
    this.#egress = new SandboxEgress({
      homeDirectory,
      networkOf: (id) => providers.find(({ name }) => name === id)?.network,
      records: this.#records,
    });
    const find: FindController = (vm) => this.get(vm);
    const names = [...new Set(config.commands ?? [])];
    this.commands = [sandboxCommand(find), ...names.map((name) => transparentCommand(name, find))];
    this.toolkit = sandboxToolkit(find);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
    this.#supervise(this.#clearLeftovers());
  }

  /** SandboxError "gone". */
  get(vm: string): SandboxController {
    const entry = this.#known.get(vm);
    if (entry === undefined) throw new SandboxError("gone", "Only a VM has a sandbox.");
    return entry.controller;
  }

  find(vm: string): SandboxController | undefined {
    return this.#known.get(vm)?.controller;
  }

  /** Whether a process runs in any of them, or files are on their way. */
  isBusy(): boolean {
    return [...this.#known.values()].some(
      ({ controller }) => controller.processes.runningCount > 0 || controller.state === "stopping",
    );
  }

  /** Files of a VM's sandbox are there before the sandbox. */
  async makeMounts(vm: MountedVm): Promise<readonly VmMount[]> {
    const known = this.#entries.get(vm.id) ?? this.#enter(vm);
    this.#entries.set(vm.id, known);
    const { mounted } = await known.catch((error: unknown) => {
      // The next start of the VM tries again.
      this.#entries.delete(vm.id);
      throw error;
    });
    return [{ at: MOUNT_POINT, alsoAt: WORKSPACE, fileSystem: mounted }];
  }

  /** What was begun without anybody's waiting is done: the clearing of leftovers first of all. */
  async settled(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Destroys all. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#known].map(([vm, entry]) => this.#remove(vm, entry)));
    await this.settled();
    await this.#egress.close();
    await this.#workspaces.close();
    this.#day.save();
  }

  async #enter(vm: MountedVm): Promise<Entry> {
    const { id } = vm;
    const workspace = await this.#workspaces.make(id);
    const { approver, config } = this.#options;
    const own = new UseMeter({ of: "the VM", limits: vmUseOf(config), now: Date.now });
    const moving = this.#moveFiles(id, workspace.files);
    const controller = new SandboxController({
      vm: id,
      owner: this.#owner,
      workspace: workspace.path,
      offers: this.#offers,
      ask: askForSandbox(approver),
      meters: [own, this.#day],
      records: this.#records,
      disposal: this.#disposal,
      now: Date.now,
      ...(moving === undefined ? {} : { files: moving }),
      proxySocket: ({ provider }) =>
        this.#egress.socketOf({ workspace: workspace.path, vm: id, provider: provider.id }),
    });
    const entry = { controller, workspace, mounted: moving?.files ?? workspace.files };
    this.#known.set(id, entry);
    vm.on("destroyed", () => this.#supervise(this.#remove(id, entry)));
    return entry;
  }

  /** Where no provider has files of its own, nothing stands between a VM and its workspace. */
  #moveFiles(vm: string, home: FileSystem): MovingWorkspace | undefined {
    const records = this.#records;
    return providersOf(this.#options.config).every(sharesWorkspace)
      ? undefined
      : new MovingWorkspace({ vm, home, records, now: Date.now });
  }

  async #remove(vm: string, entry: Entry): Promise<void> {
    if (this.#known.get(vm) !== entry) return;
    this.#known.delete(vm);
    this.#entries.delete(vm);
    await entry.controller.destroy();
    await this.#egress.close(entry.workspace.path);
    this.#records.forget(vm);
    await this.#workspaces.remove(entry.workspace);
  }

  #tick(): void {
    const controllers = [...this.#known.values()].map(({ controller }) => controller.tick());
    this.#supervise(Promise.all([...controllers, this.#disposal.tick()]));
    this.#day.save();
  }

  /** VMs end with their server: what is here from before is nobody's. */
  async #clearLeftovers(): Promise<void> {
    const { log } = this.#options;
    const count = await reapOrphans({
      providers: this.#providers,
      owner: this.#owner,
      madeBeforeMs: this.#startedAtMs,
      disposal: this.#disposal,
      records: this.#records,
      log,
    });
    if (count > 0) log(`${count} sandboxes of servers before this one are destroyed`);
    await this.#workspaces.removeLeftovers();
  }

  #supervise(work: Promise<unknown>): void {
    const watched: Promise<void> = work
      .then(() => undefined)
      .catch((error: unknown) => this.#options.log(`sandboxes: ${String(error)}`))
      .finally(() => this.#leaving.delete(watched));
    this.#leaving.add(watched);
  }
}
