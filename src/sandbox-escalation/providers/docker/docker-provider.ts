import { randomBytes } from "node:crypto";
import { chown } from "node:fs/promises";
import { z } from "zod";
import type { FileSystem } from "../../../kernel/index.ts";
import { findAgentBinary } from "../../agent/agent-binary.ts";
import {
  type Probe,
  type Sandbox,
  SandboxError,
  type SandboxProvider,
  type SandboxRecord,
  type SandboxSpec,
} from "../../provider.ts";
import type { AgentSandbox } from "../agent-machine/agent-sandbox.ts";
import { checkSpec, labelOf, labels, requireUnheld } from "../agent-machine/check-spec.ts";
import { OpenSandboxes } from "../agent-machine/open-sandboxes.ts";
import { findHostIds, type HostIds, isHostRoot } from "../local/host-ids.ts";
import { describeContainer, RECORD_LABEL } from "./container-body.ts";
import { DockerMachine, removeContainer } from "./docker-machine.ts";
import { findRecord, makeRecord } from "./docker-record.ts";
import { type EngineEnvironment, findEngine } from "./engine-address.ts";
import { EngineClient } from "./engine-client.ts";
import { type EngineFacts, readEngine } from "./engine-facts.ts";
import { type ImageFacts, prepareImage } from "./image.ts";
import { lendSeccompProfile } from "./lend-seccomp-profile.ts";

export interface DockerProviderOptions {
  /** The operator's environment. */
  readonly env: EngineEnvironment;
  /** Shows a workspace, whose files belong to these ids on the host. */
  readonly openFiles: (workspace: SharedWorkspace, ids: HostIds) => Promise<FileSystem>;
  /** Whether images that are not here may be fetched. */
  readonly canPull?: boolean;
  /** Another runtime that the engine knows, as `runsc`. */
  readonly runtime?: string;
}

export type SharedWorkspace = Pick<SandboxSpec, "workspace" | "limits">;

/**
 * Containers of the engine on this machine: no network but what is granted, no capability, a root that cannot
 * be written, one shared directory. They share a kernel with the engine, and end when the server does.
 */
export class DockerProvider implements SandboxProvider {
  readonly id = "docker";
  readonly #options: DockerProviderOptions;
  readonly #sandboxes = new OpenSandboxes();

  constructor(options: DockerProviderOptions) {
    this.#options = options;
  }

  async probe(signal?: AbortSignal): Promise<Probe> {
    const found = findEngine(this.#options.env);
    if ("reason" in found) return { isUsable: false, ...found };
    try {
      const { abilities } = await readEngine(new EngineClient(found.address), signal);
      return { isUsable: true, abilities };
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      return {
        isUsable: false,
        reason: error.message,
        fix: "start Docker, or let this user use it",
      };
    }
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const engine = this.#openEngine();
    const facts = await readEngine(engine, signal);
    checkSpec(spec, facts.abilities);
    if (spec.limits.memoryMb < SMALLEST_MEMORY_MB)
      throw new SandboxError("limit", `A container needs ${SMALLEST_MEMORY_MB} MB of memory.`);
    const canPull = this.#options.canPull ?? false;
    const image = await prepareImage(engine, { name: spec.image, canPull, signal });
    const name = `agentos-mcp-${randomBytes(8).toString("hex")}`;
    try {
      return await this.#make({ engine, facts, image, name, spec }, signal);
    } catch (error) {
      // By its name: an answer that never came leaves no id.
      await removeContainer(engine, name);
      throw error;
    }
  }

  /** A stopped one, unless this server runs it: its processes ended with their server. */
  async attach(ref: string, signal?: AbortSignal): Promise<Sandbox> {
    const known = this.#sandboxes.find(ref);
    if (known !== undefined) return known;
    if (!/^[0-9a-f]{64}$/.test(ref)) throw new SandboxError("gone", "That is no container's id.");
    const engine = this.#openEngine();
    const { abilities } = await readEngine(engine, signal);
    const path = `/containers/${ref}/json`;
    const answer = await engine.expect({ method: "GET", path, signal }, [200, 404]);
    const parsed = inspection.safeParse(answer.body);
    const record = parsed.success ? findRecord(parsed.data.Config.Labels[RECORD_LABEL]) : undefined;
    if (record === undefined) throw new SandboxError("gone", `There is no sandbox ${ref}.`);
    requireUnheld(ref, parsed.data?.Config.Labels[labels.server]);
    const machine = new DockerMachine({ engine, ref, record, abilities });
    await machine.stop();
    return await this.#open(machine, record);
  }

  async list(owner: string, signal?: AbortSignal): Promise<readonly SandboxRecord[]> {
    const filters = encodeURIComponent(
      JSON.stringify({ label: [`${labels.owner}=${labelOf(owner)}`] }),
    );
    const path = `/containers/json?all=true&filters=${filters}`;
    const { body } = await this.#openEngine().expect({ method: "GET", path, signal }, [200]);
    return listing.parse(body).map(({ Id, Created, Labels }) => ({
      ref: Id,
      vm: Labels[labels.vm] ?? "",
      createdAtMs: Created * 1000,
      ...(Labels[labels.server] === undefined ? {} : { server: Labels[labels.server] }),
    }));
  }

  async #make(parts: NewContainer, signal: AbortSignal | undefined): Promise<Sandbox> {
    const { engine, facts, image, name, spec } = parts;
    const ids = findHostIds();
    if (isHostRoot()) await chown(spec.workspace, ids.uid, ids.gid);
    const record = makeRecord(spec, image.environment);
    const made = await lendSeccompProfile(image.architecture, facts.isPodman, async (seccomp) => {
      const body = describeContainer({
        spec,
        image: image.id,
        seccomp,
        // A rootless engine shows this host's user as root inside.
        user: facts.isRootless ? { uid: 0, gid: 0 } : ids,
        agent: findAgentBinary(image.architecture),
        canOwnMounts: !facts.isPodman,
        record: JSON.stringify(record),
        runtime: this.#options.runtime,
        usesHostIds: facts.shiftsIds,
      });
      const path = `/containers/create?name=${name}`;
      // Not aborted: what the engine has begun to make would stay. It is removed when it is there.
      return await engine.expect({ method: "POST", path, body }, [201]);
    });
    signal?.throwIfAborted();
    const ref = created.parse(made.body).Id;
    const machine = new DockerMachine(
      { engine, ref, record, abilities: facts.abilities },
      spec.env,
    );
    const sandbox = await this.#open(machine, record);
    try {
      await sandbox.resume(signal);
    } catch (error) {
      this.#sandboxes.forget(ref);
      throw error;
    }
    return sandbox;
  }

  #open(machine: DockerMachine, workspace: SharedWorkspace): Promise<AgentSandbox> {
    return this.#sandboxes.open(machine, () => this.#options.openFiles(workspace, findHostIds()));
  }

  #openEngine(): EngineClient {
    const found = findEngine(this.#options.env);
    if ("reason" in found)
      throw new SandboxError("unavailable", `${found.reason} To allow it: ${found.fix}.`);
    return new EngineClient(found.address);
  }
}

interface NewContainer {
  readonly engine: EngineClient;
  readonly facts: EngineFacts;
  readonly image: ImageFacts;
  readonly name: string;
  readonly spec: SandboxSpec;
}

/** The engine's own smallest is 6 MB; a shell and the agent take more. */
const SMALLEST_MEMORY_MB = 16;

const created = z.object({ Id: z.string().regex(/^[0-9a-f]{64}$/) });
const textMap = z.record(z.string(), z.string());
const inspection = z.object({ Config: z.object({ Labels: textMap }) });
const listing = z.array(
  z.object({ Id: z.string(), Created: z.number(), Labels: textMap.default({}) }),
);
