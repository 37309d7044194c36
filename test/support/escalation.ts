// A controller over a provider of processes, with a clock that stands until it is moved; for one test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ControllerOptions } from "../../src/sandbox-escalation/controller/controller-options.ts";
import { Disposal } from "../../src/sandbox-escalation/controller/disposal.ts";
import { SandboxController } from "../../src/sandbox-escalation/controller/sandbox-controller.ts";
import { type UseLimits, UseMeter } from "../../src/sandbox-escalation/limits-of-use/use-meter.ts";
import type {
  AskEscalation,
  EscalationRequest,
  Offer,
} from "../../src/sandbox-escalation/policy/offer.ts";
import { OfferBoard } from "../../src/sandbox-escalation/policy/offer-board.ts";
import { RecordLog } from "../../src/sandbox-escalation/records/record-log.ts";
import { ProcessProvider } from "./process-provider.ts";

export const NO_LIMITS: UseLimits = {
  starts: Infinity,
  minutes: Infinity,
  costUsd: Infinity,
  running: Infinity,
};

export interface EscalationWish {
  readonly offers?: readonly Partial<Offer>[];
  readonly ask?: AskEscalation;
  readonly vmLimits?: Partial<UseLimits>;
  readonly serverLimits?: Partial<UseLimits>;
}

export class Escalation {
  nowMs = 1_000_000;
  readonly provider = new ProcessProvider();
  readonly records = new RecordLog();
  readonly disposal = new Disposal(this.records);
  readonly workspace = mkdtempSync(join(tmpdir(), "escalation-"));
  readonly server: UseMeter;
  readonly #wish: EscalationWish;

  constructor(wish: EscalationWish = {}) {
    this.#wish = wish;
    onTestFinished(() => rmSync(this.workspace, { recursive: true }));
    this.server = this.#meter("the server", wish.serverLimits);
  }

  controller(vm = "one", more: Partial<ControllerOptions> = {}): SandboxController {
    const { offers = [{}], ask = async () => ({ isAllowed: false, by: "nobody" }) } = this.#wish;
    return new SandboxController({
      vm,
      owner: "tests",
      workspace: this.workspace,
      offers: new OfferBoard(
        offers.map((offer) => ({ ...this.#offer(), ...offer })),
        () => this.nowMs,
      ),
      ask,
      meters: [this.#meter("the VM", this.#wish.vmLimits), this.server],
      records: this.records,
      disposal: this.disposal,
      now: () => this.nowMs,
      proxySocket: async () => "/nowhere",
      ...more,
    });
  }

  kinds(vm = "one"): string[] {
    return this.records.of(vm).map(({ kind }) => kind);
  }

  #offer(): Offer {
    return {
      provider: this.provider,
      policy: "auto",
      image: "host",
      network: "none",
      limits: { memoryMb: 512, pids: 64, cpus: 1, diskMb: 100, lifetimeMs: 3_600_000 },
      idleMs: 60_000,
      costUsdPerHour: 0,
      env: {},
    };
  }

  #meter(of: string, limits: Partial<UseLimits> = {}): UseMeter {
    return new UseMeter({ of, limits: { ...NO_LIMITS, ...limits }, now: () => this.nowMs });
  }
}

export function request(more: Partial<EscalationRequest> = {}): EscalationRequest {
  return {
    pid: 7,
    command: "sandbox exec make",
    reason: "make",
    signal: new AbortController().signal,
    ...more,
  };
}
