import { randomBytes } from "node:crypto";
import {
  type Probe,
  type Sandbox,
  SandboxError,
  type SandboxProvider,
  type SandboxRecord,
  type SandboxSpec,
} from "../../provider.ts";
import { checkSpec, labelOf, requireUnheld } from "../agent-machine/check-spec.ts";
import { type OpenFiles, OpenSandboxes } from "../agent-machine/open-sandboxes.ts";
import { readServerMark } from "../local/server-mark.ts";
import {
  findFaultOfAccess,
  NO_ACCESS,
  requireAccess,
  type SandboxAgentAccess,
} from "./server-address.ts";
import { findServerLibrary, NO_LIBRARY, ServerClient } from "./server-client.ts";
import { ServerMachine, serverAbilities } from "./server-machine.ts";
import {
  architectures,
  parsePlace,
  parseServerRecord,
  type ServerRecord,
} from "./server-record.ts";
import { runScript } from "./server-scripts.ts";

export interface SandboxAgentProviderOptions {
  /** The operator's; without it the provider cannot be used. */
  readonly access: SandboxAgentAccess | undefined;
  /** Shows the workspace, by processes in the sandbox. */
  readonly openFiles: OpenFiles;
}

/**
 * Sandboxes on one machine that runs a sandbox-agent server. The machine is not ours: a sandbox is a directory there
 * and the processes of an agent of ours, and nothing holds one from another.
 */
export class SandboxAgentProvider implements SandboxProvider {
  readonly id = "sandbox-agent";
  readonly #options: SandboxAgentProviderOptions;
  readonly #sandboxes = new OpenSandboxes();

  constructor(options: SandboxAgentProviderOptions) {
    this.#options = options;
  }

  async probe(signal?: AbortSignal): Promise<Probe> {
    const { access } = this.#options;
    if (access === undefined) return { isUsable: false, ...NO_ACCESS };
    const fault = findFaultOfAccess(access);
    if (fault !== undefined) return { isUsable: false, reason: fault, fix: "correct it" };
    if ((await findServerLibrary()) === undefined) return { isUsable: false, ...NO_LIBRARY };
    const client = await ServerClient.open(access);
    try {
      await client.ask((agent) => agent.getHealth(), signal);
      return judgeMachine((await runScript(client, "look", [], signal)).lines);
    } catch (error) {
      signal?.throwIfAborted();
      const { status, words } =
        error instanceof SandboxError ? { status: 0, words: error.message } : client.explain(error);
      const fix = status === 401 || status === 403 ? "check its token" : "check that it runs";
      return { isUsable: false, reason: words, fix };
    }
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    checkSpec(spec, serverAbilities);
    if (spec.image !== "host")
      throw new SandboxError("unsupported", 'The image is "host": the machine has its own tools.');
    const client = await this.#open();
    const ref = randomBytes(12).toString("hex");
    const endsAtMs = Date.now() + spec.limits.lifetimeMs;
    const record: ServerRecord = {
      owner: labelOf(spec.owner),
      vm: labelOf(spec.vm),
      server: readServerMark(),
      createdAtMs: Date.now(),
      endsAtMs: Math.min(Math.trunc(endsAtMs), Number.MAX_SAFE_INTEGER),
    };
    let machine: ServerMachine | undefined;
    try {
      // Not aborted: what the server has begun to make would stay.
      const made = await runScript(client, "make", [ref, JSON.stringify(record)]);
      const { architecture, directory } = parsePlace(made.lines);
      machine = new ServerMachine({ client, ref, directory, architecture, endsAtMs }, spec.env);
      signal?.throwIfAborted();
      const sandbox = await this.#sandboxes.open(machine, this.#options.openFiles);
      await sandbox.resume(signal);
      return sandbox;
    } catch (error) {
      this.#sandboxes.forget(ref);
      if (machine === undefined) await runScript(client, "remove", [ref]);
      else await machine.remove();
      throw error;
    }
  }

  /** A stopped one, unless this server runs it: an agent of another server is not ours. */
  async attach(ref: string, signal?: AbortSignal): Promise<Sandbox> {
    const known = this.#sandboxes.find(ref);
    if (known !== undefined) return known;
    if (!REF.test(ref)) throw new SandboxError("gone", "That is no sandbox's id.");
    const client = await this.#open();
    const { status, lines } = await runScript(client, "read", [ref], signal);
    if (status !== 0) throw new SandboxError("gone", `There is no sandbox ${ref}.`);
    const record = parseServerRecord(lines[2] ?? "");
    if (record === undefined) throw new SandboxError("gone", `Sandbox ${ref} is none of ours.`);
    requireUnheld(ref, record.server);
    const place = parsePlace(lines);
    const machine = new ServerMachine({ client, ref, ...place, endsAtMs: record.endsAtMs });
    await machine.stop();
    return await this.#sandboxes.open(machine, this.#options.openFiles);
  }

  async list(owner: string, signal?: AbortSignal): Promise<readonly SandboxRecord[]> {
    const client = await this.#open();
    const found: SandboxRecord[] = [];
    for (const line of (await runScript(client, "list", [], signal)).lines) {
      const [ref = ""] = line.split(" ", 1);
      const record = parseServerRecord(line.slice(ref.length));
      if (!REF.test(ref) || record?.owner !== labelOf(owner)) continue;
      const { vm, createdAtMs, server } = record;
      found.push({ ref, vm, createdAtMs, server });
    }
    return found;
  }

  async #open(): Promise<ServerClient> {
    return await ServerClient.open(requireAccess(this.#options.access));
  }
}

const REF = /^[0-9a-f]{24}$/;

/** By what its script says: the system, the machine, the directory, the programs that are needed. */
function judgeMachine([
  system = "",
  machine = "",
  directory = "",
  ...programs
]: readonly string[]): Probe {
  const fix = "run the server on Linux for x64 or arm64";
  if (system !== "Linux" || !architectures.has(machine))
    return { isUsable: false, reason: `The server's machine is ${system} ${machine}.`, fix };
  if (programs.length < NEEDED_PROGRAMS)
    return {
      isUsable: false,
      reason: `The server cannot write to ${directory || "its directory"}, or lacks chmod or grep.`,
      fix: "set a directory that it can write to",
    };
  return { isUsable: true, abilities: serverAbilities };
}

/** chmod, kill, grep. */
const NEEDED_PROGRAMS = 3;
