import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { AgentLink } from "../../agent/agent-link.ts";
import {
  type Abilities,
  type ProcessEnd,
  SandboxError,
  type SandboxUsage,
} from "../../provider.ts";
import type { Machine } from "../agent-machine/machine.ts";
import { UseWatch } from "../local/use-watch.ts";
import { insidePaths } from "./container-body.ts";
import type { DockerRecord } from "./docker-record.ts";
import { describeRefusal, type EngineClient } from "./engine-client.ts";

export interface DockerMachineParts {
  readonly engine: EngineClient;
  /** The container's id. */
  readonly ref: string;
  readonly record: DockerRecord;
  readonly abilities: Abilities;
}

/** A container with the agent as its first process. */
export class DockerMachine implements Machine {
  readonly ref: string;
  readonly abilities: Abilities;
  readonly cwd = insidePaths.workspace;
  readonly environment: Readonly<Record<string, string>>;
  readonly endsAtMs: number;
  readonly proxySocket: string | undefined;
  readonly #engine: EngineClient;
  readonly #record: DockerRecord;
  #watch: UseWatch | undefined;
  #link: AgentLink | undefined;
  #startedAtMs = 0;
  #outOfMemory = 0;

  constructor(parts: DockerMachineParts, env: Readonly<Record<string, string>> = {}) {
    this.ref = parts.ref;
    this.abilities = parts.abilities;
    this.#engine = parts.engine;
    this.#record = parts.record;
    this.environment = { ...parts.record.environment, ...baseEnvironment, ...env };
    this.endsAtMs = parts.record.endsAtMs;
    this.proxySocket = parts.record.proxySocket;
  }

  async start(signal?: AbortSignal): Promise<Duplex> {
    const stream = await this.#engine.attach(this.ref, signal);
    this.#startedAtMs = Date.now();
    this.#outOfMemory = 0;
    try {
      const path = `/containers/${this.ref}/start`;
      await this.#engine.expect({ method: "POST", path, signal }, [204, 304]);
    } catch (error) {
      stream.destroy();
      await this.stop();
      throw error;
    }
    this.#watch = new UseWatch({
      pid: 0,
      limits: this.#record.limits,
      watchesMemory: false,
      directories: [this.#record.workspace],
      onExceeded: (reason) => stream.destroy(new SandboxError("limit", reason)),
      brake: {
        set: ([floor]) => {
          if (floor !== undefined) this.#link?.setFloor(0, floor, insidePaths.workspace);
        },
        release: () => this.#link?.release(),
      },
    });
    return stream;
  }

  useLink(link: AgentLink): void {
    this.#link = link;
  }

  onStopped(): void {
    this.#watch?.recountDisk();
  }

  async stop(): Promise<void> {
    this.#watch?.stop();
    const path = `/containers/${this.ref}/kill?signal=KILL`;
    const killed = await this.#engine.ask({ method: "POST", path });
    // 404: there is none. 409: it does not run; Podman says that with 500.
    for (let round = 0; killed.status !== 404 && (await this.#isRunning()); round++) {
      if (round >= STOP_ROUNDS) throw new SandboxError("not-confirmed", describeRefusal(killed));
      await delay(STOP_WAIT_MS);
    }
  }

  async remove(): Promise<void> {
    this.#watch?.stop();
    await removeContainer(this.#engine, this.ref);
  }

  async measure(): Promise<Omit<SandboxUsage, "wallMs">> {
    const path = `/containers/${this.ref}/stats?stream=false&one-shot=true`;
    const { body } = await this.#engine.expect({ method: "GET", path }, [200]);
    const parsed = statistics.safeParse(body);
    if (!parsed.success) return {};
    const { memory_stats: memory, cpu_stats: cpu } = parsed.data;
    return {
      ...(memory?.usage === undefined ? {} : { memoryBytes: memory.usage }),
      ...(cpu === undefined ? {} : { cpuMs: Math.round(cpu.cpu_usage.total_usage / 1e6) }),
    };
  }

  /** The engine tells of memory that ran out some moments later than the process ends. */
  async completeEnd(end: ProcessEnd): Promise<ProcessEnd> {
    if (end.status !== KILLED) return end;
    for (let round = 0; round < EVENT_ROUNDS; round++) {
      const count = await this.#countOutOfMemory();
      if (count > this.#outOfMemory) {
        this.#outOfMemory = count;
        return { ...end, isOutOfMemory: true };
      }
      await delay(EVENT_WAIT_MS);
    }
    return end;
  }

  async snapshot(): Promise<string> {
    throw new SandboxError(
      "unsupported",
      "A container's own files cannot be changed: there is nothing to keep but the workspace.",
    );
  }

  async #isRunning(): Promise<boolean> {
    const { status, body } = await this.#engine.ask({
      method: "GET",
      path: `/containers/${this.ref}/json`,
    });
    const parsed = inspection.safeParse(body);
    return status !== 404 && !(parsed.success && !parsed.data.State.Running);
  }

  /** Since it was started; the engine remembers its last 256 events. */
  async #countOutOfMemory(): Promise<number> {
    const filters = JSON.stringify({ container: [this.ref], event: ["oom"] });
    const until = (Date.now() / 1000).toFixed(3);
    const range = `since=${(this.#startedAtMs / 1000).toFixed(3)}&until=${until}`;
    const path = `/events?${range}&filters=${encodeURIComponent(filters)}`;
    const answer = await this.#engine.ask({ method: "GET", path }).catch(() => undefined);
    const text =
      typeof answer?.body === "string" ? answer.body : JSON.stringify(answer?.body ?? "");
    return text.split('"Action":"oom"').length - 1;
  }
}

/** Again: nothing happens. SandboxError "not-confirmed" unless the engine has it no more. */
export async function removeContainer(engine: EngineClient, name: string): Promise<void> {
  const path = `/containers/${name}?force=true&v=true`;
  for (let round = 1; ; round++) {
    const why = await tryRemoval(engine, { name, path });
    if (why === undefined) return;
    if (round >= REMOVAL_ROUNDS)
      throw new SandboxError("not-confirmed", `Container ${name} may be there still. ${why}`);
    // One that is just ending by itself cannot be removed for a moment.
    await delay(REMOVAL_WAIT_MS);
  }
}

/** Why it may be there still; undefined when the engine has it no more. */
async function tryRemoval(
  engine: EngineClient,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<string | undefined> {
  try {
    const removed = await engine.ask({ method: "DELETE", path });
    if (removed.status === 404) return undefined;
    const left = await engine.ask({ method: "GET", path: `/containers/${name}/json` });
    if (left.status === 404) return undefined;
    return removed.status === 204 ? "The engine has it still." : describeRefusal(removed);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** 128 and SIGKILL. */
const KILLED = 137;
/** Five seconds: a killed process that does not end hangs in the kernel. */
const STOP_ROUNDS = 200;
const STOP_WAIT_MS = 25;
const REMOVAL_ROUNDS = 5;
const REMOVAL_WAIT_MS = 100;
const EVENT_ROUNDS = 3;
const EVENT_WAIT_MS = 40;

const inspection = z.object({ State: z.object({ Running: z.boolean() }) });
const statistics = z.object({
  memory_stats: z.object({ usage: z.number().optional() }).optional(),
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: z.number() }) }).optional(),
});

const baseEnvironment = {
  HOME: insidePaths.home,
  USER: "user",
  LOGNAME: "user",
  SHELL: "/bin/sh",
  LANG: "C.UTF-8",
};
