/**
 * The sandbox of one VM: none, starting, running, stopped, destroyed. Every way to a sandbox leads through
 * `ensure`; nothing else starts one.
 */
import type { UseMeter } from "../limits-of-use/use-meter.ts";
import { chooseOffer } from "../policy/choose-offer.ts";
import type { EscalationRequest, Offer } from "../policy/offer.ts";
import { type Sandbox, SandboxError } from "../provider.ts";
import type {
  ControllerOptions,
  ControllerState,
  ControllerStatus,
  SpawnWish,
} from "./controller-options.ts";
import { permit } from "./permit.ts";
import { type HeldProcess, ProcessTable } from "./process-table.ts";
import { RunningSandbox } from "./running-sandbox.ts";
import { SharedStart } from "./shared-start.ts";

interface Stopped {
  readonly sandbox: Sandbox;
  readonly offer: Offer;
  readonly createdAtMs: number;
}

export class SandboxController {
  readonly options: ControllerOptions;
  readonly processes = new ProcessTable(() => this.#touch());
  #starting: SharedStart<RunningSandbox> | undefined;
  #running: RunningSandbox | undefined;
  #stopped: Stopped | undefined;
  /** Ends take turns with starts. */
  #ending: Promise<void> = Promise.resolve();
  #isDestroyed = false;
  #lastUseMs = 0;
  #lastEnd: string | undefined;

  constructor(options: ControllerOptions) {
    this.options = options;
  }

  get state(): ControllerState {
    if (this.#isDestroyed) return "destroyed";
    if (this.#running !== undefined) return "running";
    if (this.#starting !== undefined) return "starting";
    return this.#stopped === undefined ? "none" : "stopped";
  }

  status(): ControllerStatus {
    const open = this.options.offers.filter(({ policy }) => policy !== "deny");
    return {
      state: this.state,
      offer: this.#running?.offer ?? this.#stopped?.offer ?? open[0],
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
    if (this.#running !== undefined) return this.#running.sandbox;
    this.#starting ??= this.#begin(request);
    return (await this.#starting.join(request.signal)).sandbox;
  }

  /** As ensure, then starts a process in it. */
  async spawn(
    argv: readonly string[],
    wish: SpawnWish,
    request: EscalationRequest,
  ): Promise<HeldProcess> {
    this.processes.requireRoom();
    const sandbox = await this.ensure(request);
    this.processes.requireRoom();
    const { isDetached = false, cwd = sandbox.cwd, ...rest } = wish;
    const process = await sandbox.spawn(argv, { ...rest, cwd });
    this.options.records.add(this.options.vm, "exec", {
      command: argv.join(" "),
      cwd,
      by: request.command,
    });
    return this.processes.add(argv, process, isDetached);
  }

  /** Ends its processes; its files stay. Whether one ran. */
  async stop(why: string): Promise<boolean> {
    await this.#starting?.settled();
    const running = this.#running;
    if (running === undefined) return false;
    this.#leave(running, why);
    if (running.sandbox.abilities.stopKeeps === "nothing")
      await this.#inTurn(() => this.#dispose(running.sandbox));
    else await this.#inTurn(() => this.#park(running));
    return true;
  }

  /** The VM is gone: so is its sandbox, for good. Again: nothing happens. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    this.#starting?.cancel(new SandboxError("gone", "The VM is gone."));
    await this.#starting?.settled();
    const running = this.#running;
    if (running !== undefined) this.#leave(running, "the VM is gone");
    await this.#inTurn(async () => {
      const sandbox = running?.sandbox ?? this.#stopped?.sandbox;
      this.#stopped = undefined;
      if (sandbox !== undefined) await this.#dispose(sandbox);
    });
  }

  /** Called every few seconds: stops what is idle, at its limits, or at the end of its life. */
  async tick(): Promise<void> {
    const running = this.#running;
    const { createdAtMs, offer } = running ?? this.#stopped ?? {};
    if (createdAtMs === undefined || offer === undefined) return;
    const nowMs = this.options.now();
    if (nowMs - createdAtMs >= offer.limits.lifetimeMs)
      return await this.#endOfLife("its lifetime was over");
    if (running === undefined) return;
    const exceeded = this.#findInMeters((meter) => meter.findExceeded());
    if (exceeded !== undefined) await this.stop(exceeded);
    else if (this.processes.runningCount === 0 && nowMs - this.#lastUseMs >= offer.idleMs)
      await this.stop("idle");
  }

  #begin(request: EscalationRequest): SharedStart<RunningSandbox> {
    const start = new SharedStart(async (signal) => {
      try {
        // Before anything can fail, whoever asks has to know of the start.
        await this.#ending;
        return await this.#start({ ...request, signal });
      } finally {
        this.#starting = undefined;
      }
    });
    return start;
  }

  async #start(request: EscalationRequest): Promise<RunningSandbox> {
    const { vm, offers, records, meters } = this.options;
    const stopped = this.#stopped;
    records.add(vm, "requested", { by: request.command, reason: request.reason });
    const offer = stopped?.offer ?? this.#choose(offers, request.provider);
    this.#requireUse();
    // Who agreed to a sandbox agreed to its limits: making it run again is within them.
    if (stopped === undefined) await permit(request, { ...this.options, offer });
    this.#requireAlive();
    this.#requireUse();
    const leases = meters.map((meter) => ({ meter, lease: meter.begin(offer.costUsdPerHour) }));
    const startedAtMs = this.options.now();
    try {
      const sandbox = await (stopped === undefined
        ? this.#create(offer, request)
        : resume(stopped.sandbox, request.signal));
      const createdAtMs = stopped?.createdAtMs ?? startedAtMs;
      return await this.#enter(new RunningSandbox({ sandbox, offer, createdAtMs, leases }));
    } catch (error) {
      for (const { meter, lease } of leases) meter.end(lease);
      if (stopped !== undefined && isGone(error)) await this.#forgetStopped(stopped);
      const why = error instanceof Error ? error.message : String(error);
      records.add(vm, "start failed", { provider: offer.provider.id, why });
      throw error;
    }
  }

  async #create(offer: Offer, { reason, signal }: EscalationRequest): Promise<Sandbox> {
    const { vm, owner, workspace, proxySocket } = this.options;
    const { image, limits, network, env, provider } = offer;
    const proxy = network === "proxy" ? { proxySocket: await proxySocket() } : {};
    return await provider.create(
      { owner, vm, reason, image, workspace, limits, network, env, ...proxy },
      signal,
    );
  }

  async #enter(running: RunningSandbox): Promise<RunningSandbox> {
    const { vm, records, now } = this.options;
    if (this.#isDestroyed) {
      running.end();
      await this.#dispose(running.sandbox);
      throw new SandboxError("gone", "The VM is gone.");
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
    this.#leave(running, reason);
    await this.#inTurn(() => this.#dispose(running.sandbox));
  }

  async #endOfLife(why: string): Promise<void> {
    const running = this.#running;
    const sandbox = running?.sandbox ?? this.#stopped?.sandbox;
    if (running !== undefined) this.#leave(running, why);
    this.#stopped = undefined;
    this.#lastEnd = why;
    if (sandbox !== undefined) await this.#inTurn(() => this.#dispose(sandbox));
  }

  /** No await: from here on it does not run for anybody. */
  #leave(running: RunningSandbox, why: string): void {
    const { vm, records } = this.options;
    const usedMs = running.end();
    this.#running = undefined;
    this.#lastEnd = why;
    const { offer } = running;
    const costUsd = (usedMs / 3_600_000) * offer.costUsdPerHour;
    records.add(vm, "stopped", { why, usedMs, costUsd, provider: offer.provider.id });
  }

  async #park({ sandbox, offer, createdAtMs }: RunningSandbox): Promise<void> {
    try {
      await sandbox.stop();
      this.#stopped = { sandbox, offer, createdAtMs };
    } catch (error) {
      await this.#dispose(sandbox);
      const why = error instanceof Error ? error.message : String(error);
      this.#lastEnd = `${this.#lastEnd ?? ""} (it could not be stopped and was destroyed: ${why})`;
    }
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

  #choose(offers: readonly Offer[], wanted: string | undefined): Offer {
    try {
      return chooseOffer(offers, wanted);
    } catch (error) {
      this.options.records.add(this.options.vm, "denied", {
        by: "policy",
        provider: wanted ?? "any",
      });
      throw error;
    }
  }

  #requireAlive(): void {
    if (this.#isDestroyed) throw new SandboxError("gone", "The VM is gone.");
  }

  #requireUse(): void {
    const refusal = this.#findInMeters((meter) => meter.findRefusal());
    if (refusal === undefined) return;
    this.options.records.add(this.options.vm, "denied", { by: "limit", why: refusal });
    throw new SandboxError("limit", `No sandbox is started: ${refusal}.`);
  }

  #findInMeters(find: (meter: UseMeter) => string | undefined): string | undefined {
    return this.options.meters.map(find).find((found) => found !== undefined);
  }

  #touch(): void {
    this.#lastUseMs = this.options.now();
  }
}

async function resume(sandbox: Sandbox, signal: AbortSignal): Promise<Sandbox> {
  await sandbox.resume(signal);
  return sandbox;
}

function isGone(error: unknown): boolean {
  return error instanceof SandboxError && error.code === "gone";
}
