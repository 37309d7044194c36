/** The files of a VM's workspace, which follow its sandbox where that has files of its own. */
import type { FileSystem } from "../../../kernel/index.ts";
import type { Activity, FollowingFiles } from "../../controller/following-files.ts";
import { type Sandbox, SandboxError } from "../../provider.ts";
import type { RecordLog } from "../../records/record-log.ts";
import { CarriedTrees } from "../carry/carried-trees.ts";
import { ExecFiles } from "../exec/exec-files.ts";
import { MovingFiles } from "./moving-files.ts";

export interface MovingWorkspaceOptions {
  readonly vm: string;
  /** The workspace on this host. */
  readonly home: FileSystem;
  readonly records: RecordLog;
  readonly now: () => number;
}

/** Nothing has run for so long: whatever was at work is done. */
const QUIET_MS = 2000;
/** While something runs, files are carried this often: what is lost is not older. */
const BUSY_MS = 60_000;
/** What carrying takes at most; a sandbox that is slower is not waited for. */
const CARRY_LIMIT_MS = 300_000;
const SHOWN_MISSING = 3;

/**
 * At most one side changes at a time: the VM's while nothing runs, the sandbox's while it does. So there is nothing
 * to merge; what was changed in the VM since files came home replaces what a sandbox that runs again has.
 */
export class MovingWorkspace implements FollowingFiles {
  readonly files: MovingFiles;
  readonly #options: MovingWorkspaceOptions;
  /** Of the sandbox that has, or last had, the files. */
  #trees: CarriedTrees | undefined;
  /** Aborted when that is gone. */
  #away = new AbortController();
  #turn: Promise<void> = Promise.resolve();
  #isSaving = false;
  #savedAtMs = 0;
  #savedChanges = 0;

  constructor(options: MovingWorkspaceOptions) {
    this.#options = options;
    this.files = new MovingFiles(options.home);
  }

  isAway(sandbox: Sandbox): boolean {
    return sandbox.files !== this.#options.home;
  }

  async follow(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    if (!this.isAway(sandbox)) return;
    const { home } = this.#options;
    if (this.#trees?.ref !== sandbox.ref) this.#trees = new CarriedTrees(sandbox, home);
    const trees = this.#trees;
    this.#away = new AbortController();
    const limit = limited(signal, this.#away.signal);
    try {
      await this.#inTurn(async () => {
        // Most of it while the VM goes on; what changed meanwhile when it waits.
        const count = await trees.carryOut(limit);
        if (count > 0) this.#record("files carried", { files: count, to: "the sandbox" });
        await this.files.moveTo(sandbox.files, async () => {
          await trees.carryOut(limit);
        });
        this.expire();
      });
      this.#saved();
    } catch (error) {
      signal.throwIfAborted();
      const why = wordsOf(error);
      throw new SandboxError("failed", `The VM's files do not get to the sandbox: ${why}.`, {
        cause: error,
      });
    }
  }

  async save(sandbox: Sandbox, activity: Activity): Promise<void> {
    if (this.#isSaving || !this.#isDue(activity) || this.#trees?.ref !== sandbox.ref) return;
    this.#isSaving = true;
    const trees = this.#trees;
    this.#savedAtMs = activity.nowMs;
    this.#savedChanges = this.files.changeCount;
    try {
      await this.#inTurn(() => this.#carryBack(trees, limited(this.#away.signal)));
    } catch (error) {
      if (!this.#away.signal.aborted)
        this.#record("files not carried", { why: wordsOf(error), from: "the sandbox" });
    } finally {
      this.#isSaving = false;
    }
  }

  async comeHome(sandbox: Sandbox, signal: AbortSignal): Promise<string | undefined> {
    const trees = this.#trees;
    if (!this.isAway(sandbox) || trees?.ref !== sandbox.ref) return undefined;
    const { home } = this.#options;
    const limit = limited(signal, this.#away.signal);
    let missing: string | undefined;
    try {
      await this.#inTurn(async () => {
        await this.#carryBack(trees, limit);
        await this.files.moveTo(home, async () => {
          missing = await this.#carryBack(trees, limit);
        });
      });
      return missing;
    } catch (error) {
      const why = wordsOf(error);
      this.#record("files not carried", { why, from: "the sandbox" });
      return `its files could not be carried back (${why}); ${this.#age()}`;
    } finally {
      this.files.moveAtOnce(home);
    }
  }

  abandon(sandbox: Sandbox): string | undefined {
    if (!this.isAway(sandbox) || this.#trees?.ref !== sandbox.ref) return undefined;
    this.files.moveAtOnce(this.#options.home);
    this.#away.abort(new SandboxError("gone", "the sandbox is gone"));
    this.#trees = undefined;
    return `In /sandbox, ${this.#age()}`;
  }

  expire(): void {
    const { files } = this.files;
    if (files instanceof ExecFiles) files.expire();
  }

  #age(): string {
    return `files are as they were at ${new Date(this.#asOfMs).toISOString().slice(0, 19)}Z`;
  }

  /** When both sides were last the same, by the clock of people. */
  #asOfMs = Date.now();

  #saved(): void {
    this.#asOfMs = Date.now();
    this.#savedAtMs = this.#options.now();
    this.#savedChanges = this.files.changeCount;
  }

  #isDue({ nowMs, lastUseMs, isBusy }: Activity): boolean {
    if (isBusy) return nowMs - this.#savedAtMs >= BUSY_MS;
    const hasRun = lastUseMs >= this.#savedAtMs || this.files.changeCount !== this.#savedChanges;
    return hasRun && nowMs - lastUseMs >= QUIET_MS;
  }

  /** What is not here now, in words, if anything. */
  async #carryBack(trees: CarriedTrees, signal: AbortSignal): Promise<string | undefined> {
    const startedMs = Date.now();
    const { count, bytes, missing } = await trees.carryBack(signal);
    this.#asOfMs = startedMs;
    if (count > 0) this.#record("files carried", { files: count, bytes, to: "the VM" });
    if (missing.size === 0) return undefined;
    const some = [...missing].slice(0, SHOWN_MISSING).map(([path, why]) => `${path}: ${why}`);
    const words = `${missing.size} files could not be carried back (${some.join("; ")})`;
    this.#record("files not carried", { why: words, from: "the sandbox" });
    return words;
  }

  #record(
    kind: "files carried" | "files not carried",
    facts: Record<string, string | number>,
  ): void {
    this.#options.records.add(this.#options.vm, kind, facts);
  }

  /** One carrying at a time. */
  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.then(
      () => undefined,
      () => undefined,
    );
    return await turn;
  }
}

function limited(...signals: readonly AbortSignal[]): AbortSignal {
  return AbortSignal.any([...signals, AbortSignal.timeout(CARRY_LIMIT_MS)]);
}

function wordsOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `it took more than ${CARRY_LIMIT_MS / 60_000} minutes`;
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "").slice(0, 300);
}
