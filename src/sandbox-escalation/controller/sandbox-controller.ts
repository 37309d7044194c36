/**
 * The sandbox of one VM: none, starting, running, stopped, destroyed. Every way to a sandbox leads through
 * `ensure`; nothing else starts one.
 */
import { plainFailure } from "../plain-failure.ts";
import type { EscalationRequest } from "../policy/offer.ts";
import { type Sandbox, SandboxError } from "../provider.ts";
import { findExceeded, requireUse } from "./check-use.ts";
import { chooseStart, requireProvider } from "./choose-start.ts";
import type {
  ControllerOptions,
  ControllerState,
  ControllerStatus,
  SpawnWish,
} from "./controller-options.ts";
import { createSandbox, resumeSandbox } from "./create-sandbox.ts";
import { isGone, whyGone } from "./gone.ts";
import { permit } from "./permit.ts";
import { type HeldProcess, ProcessTable } from "./process-table.ts";
import { endOf, RunningSandbox, type Stopped } from "./running-sandbox.ts";
import { SharedStart } from "./shared-start.ts";
import { startProcess } from "./start-process.ts";

export class SandboxController {
  readonly options: ControllerOptions;
  readonly processes = new ProcessTable(() => this.#processChanged());
  #starting: SharedStart<RunningSandbox> | undefined;
  #running: RunningSandbox | undefined;
  #stopped: Stopped | undefined;
  /** Ends take turns with starts. */
  #ending: Promise<void> = Promise.resolve();
  #isStopping = false;
  readonly #destroyed = new AbortController();
  #lastUseMs = 0;
  #lastEnd: string | undefined;

  constructor(options: ControllerOptions) {
    this.options = options;
  }

  get state(): ControllerState {
    if (this.#destroyed.signal.aborted) return "destroyed";
    if (this.#running !== undefined) return "running";
    if (this.#starting !== undefined) return "starting";
    if (this.#isStopping) return "stopping";
    return this.#stopped === undefined ? "none" : "stopped";
  }

  status(): ControllerStatus {
    return {
      state: this.state,
      offer: this.#running?.offer ?? this.#stopped?.offer ?? this.options.offers.open[0],
      runningProcesses: this.processes.runningCount,
      lastEnd: this.#lastEnd,
    };
  }

  /** The sandbox, where one runs. */
  get current(): Sandbox | undefined {
    return this.#running?.sandbox;
  }

  /**
   * A sandbox that runs: the one there is, or a new one, once somebody has agreed where the policy says
   * so. However many want one at once, one is started. SandboxError.
   */
  async ensure(request: EscalationRequest): Promise<Sandbox> {
    request.signal.throwIfAborted();
    this.#requireAlive();
    this.#touch();
    let running = this.#running;
    if (running === undefined) {
      this.#starting ??= this.#begin(request);
      running = await this.#starting.join(request.signal);
    }
    requireProvider(running.offer, this.options.offers, request.provider);
    return running.sandbox;
  }

  /** As ensure, then starts a process in it. */
  async spawn(
    argv: readonly string[],
    wish: SpawnWish,
    request: EscalationRequest,
  ): Promise<HeldProcess> {
    const { options, processes } = this;
    const start = { options, processes, argv, wish, by: request.command };
    const sandbox = await this.#ensureRoom(request);
    try {
      return await startProcess({ ...start, sandbox });
    } catch (error) {
      if (!isGone(error)) throw error;
      const running = this.#running;
      // It ended a moment ago: the command is for the next one.
      if (running?.sandbox === sandbox) await this.#lose(running, await whyGone(sandbox, error));
      return await startProcess({ ...start, sandbox: await this.#ensureRoom(request) });
    }
  }

  async #ensureRoom(request: EscalationRequest): Promise<Sandbox> {
    this.processes.requireRoom();
    const sandbox = await this.ensure(request);
    this.processes.requireRoom();
    return sandbox;
  }

  /** Ends its processes; its files stay. Whether one ran. */
  async stop(why: string): Promise<boolean> {
    await this.#starting?.settled();
    const running = this.#running;
    if (running === undefined) return false;
    this.#leave(running, why);
    await this.#inTurn(async () => {
      await this.#bringHome(running, why);
      if (running.sandbox.abilities.stopKeeps === "nothing") await this.#dispose(running.sandbox);
      else await this.#park(running);
    });
    return true;
  }

  /** The VM is gone: so is its sandbox, for good. Again: nothing happens. */
  async destroy(): Promise<void> {
    const reason = new SandboxError("gone", "The VM is gone.");
    this.#destroyed.abort(reason);
    this.#starting?.cancel(reason);
    await this.#starting?.settled();
    const running = this.#running;
    if (running !== undefined) {
      this.#leave(running, "the VM is gone");
      running.end("the VM is gone");
    }
    await this.#inTurn(async () => {
      const sandbox = running?.sandbox ?? this.#stopped?.sandbox;
      this.#stopped = undefined;
      if (sandbox !== undefined) await this.#dispose(sandbox);
    });
  }

  /** Called every few seconds: stops what is idle, at its limits, or at the end of its life. */
  async tick(): Promise<void> {
    const running = this.#running;
    const nowMs = this.options.now();
    if (nowMs >= (running?.endsAtMs ?? endOf(this.#stopped)))
      return await this.#endOfLife("its lifetime was over");
    if (running === undefined) return;
    const isBusy = this.processes.runningCount > 0;
    const exceeded = findExceeded(this.options);
    if (exceeded !== undefined) await this.stop(exceeded);
    else if (!isBusy && nowMs - this.#lastUseMs >= running.offer.idleMs) await this.stop("idle");
    else if (running.isAway) {
      const activity = { nowMs, lastUseMs: this.#lastUseMs, isBusy };
      await this.options.files?.save(running.sandbox, activity);
    }
  }

  #begin(request: EscalationRequest): SharedStart<RunningSandbox> {
    return new SharedStart(async (signal) => {
      try {
        // Before anything can fail, whoever asks has to know of the start.
        await this.#ending;
        return await this.#start({ ...request, signal });
      } finally {
        this.#starting = undefined;
      }
    });
  }

  async #start(request: EscalationRequest): Promise<RunningSandbox> {
    const { vm, records, meters } = this.options;
    records.add(vm, "requested", { by: request.command, reason: request.reason });
    const stopped = this.#findStopped(request.provider);
    const offer = stopped?.offer ?? (await chooseStart(this.options, request.provider));
    requireUse(this.options);
    // Who agreed to a sandbox agreed to its limits: making it run again is within them.
    if (stopped === undefined) await permit(request, { ...this.options, offer });
    this.#requireAlive();
    requireUse(this.options);
    // One of another provider: its files are in the workspace, all else of it ends.
    if (stopped === undefined && this.#stopped !== undefined)
      await this.#forgetStopped(this.#stopped);
    const leases = meters.map((meter) => ({ meter, lease: meter.begin(offer.costUsdPerHour) }));
    const startedAtMs = this.options.now();
    try {
      const sandbox = await (stopped === undefined
        ? createSandbox(this.options, offer, request)
        : resumeSandbox(this.options, stopped.sandbox, request.signal));
      const createdAtMs = stopped?.createdAtMs ?? startedAtMs;
      return await this.#enter(
        new RunningSandbox({ options: this.options, sandbox, offer, createdAtMs, leases }),
      );
    } catch (error) {
      for (const { meter, lease } of leases) meter.callOff(lease);
      if (stopped !== undefined && isGone(error)) await this.#forgetStopped(stopped);
      const failure = request.signal.aborted ? undefined : plainFailure(error);
      const why = failure?.message ?? "called off";
      records.add(vm, "start failed", { provider: offer.provider.id, why }, failure?.cause);
      throw failure ?? error;
    }
  }

  async #enter(running: RunningSandbox): Promise<RunningSandbox> {
    const { vm, records, now } = this.options;
    if (this.#destroyed.signal.aborted) {
      running.end("the VM is gone");
      await this.#dispose(running.sandbox);
      this.#requireAlive();
    }
    this.#running = running;
    this.#stopped = undefined;
    this.#lastEnd = undefined;
    this.#lastUseMs = now();
    const { sandbox, offer } = running;
    records.add(vm, "started", { provider: offer.provider.id, ref: sandbox.ref });
    sandbox.gone
      .then((reason) => this.#lose(running, reason))
      .catch((error: unknown) => this.#lose(running, String(error)));
    return running;
  }

  /** It ended without our doing: what it kept beside the workspace is not trusted any more. */
  async #lose(running: RunningSandbox, reason: string): Promise<void> {
    if (this.#running !== running) return;
    const left = this.options.files?.abandon(running.sandbox);
    const why = left === undefined ? reason : `${reason} ${left}`;
    this.#leave(running, why);
    running.end(why);
    await this.#inTurn(() => this.#dispose(running.sandbox));
  }

  async #endOfLife(why: string): Promise<void> {
    const running = this.#running;
    const sandbox = running?.sandbox ?? this.#stopped?.sandbox;
    if (running !== undefined) this.#leave(running, why);
    this.#stopped = undefined;
    this.#lastEnd = why;
    await this.#inTurn(async () => {
      if (running !== undefined) await this.#bringHome(running, why);
      if (sandbox !== undefined) await this.#dispose(sandbox);
    });
  }

  /** No await: from here on it does not run for anybody. */
  #leave(running: RunningSandbox, why: string): void {
    if (this.#running === running) this.#running = undefined;
    this.#lastEnd = why;
  }

  async #bringHome(running: RunningSandbox, why: string): Promise<void> {
    this.#isStopping = true;
    const left = await running.bringHome(this.processes, this.#destroyed.signal);
    if (left !== undefined) this.#lastEnd = `${why}; ${left}`;
    this.#isStopping = false;
    running.end(this.#lastEnd ?? why);
  }

  async #park({ sandbox, offer, createdAtMs }: RunningSandbox): Promise<void> {
    try {
      await sandbox.stop();
      this.#stopped = { sandbox, offer, createdAtMs };
    } catch (error) {
      await this.#dispose(sandbox);
      const why = plainFailure(error).message;
      this.#lastEnd = `${this.#lastEnd ?? ""} (it could not be stopped and was destroyed: ${why})`;
    }
  }

  /** What it was stopped with, unless another provider is wanted. */
  #findStopped(wanted: string | undefined): Stopped | undefined {
    const isOther = wanted !== undefined && this.#stopped?.offer.provider.id !== wanted;
    return isOther ? undefined : this.#stopped;
  }

  async #forgetStopped({ sandbox }: Stopped): Promise<void> {
    this.#stopped = undefined;
    await this.#dispose(sandbox);
  }

  async #dispose(sandbox: Sandbox): Promise<void> {
    await this.options.disposal.dispose(this.options.vm, sandbox);
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#ending.then(act);
    this.#ending = turn.catch(() => undefined);
    await turn;
  }

  #requireAlive(): void {
    this.#destroyed.signal.throwIfAborted();
  }

  #processChanged(): void {
    this.#touch();
    this.options.files?.expire();
  }

  #touch(): void {
    this.#lastUseMs = this.options.now();
  }
}
