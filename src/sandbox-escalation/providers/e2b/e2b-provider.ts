import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Probe,
  type Sandbox,
  SandboxError,
  type SandboxProvider,
  type SandboxRecord,
  type SandboxSpec,
} from "../../provider.ts";
import {
  checkSpec,
  labelOf,
  labels,
  labelsOf,
  readLabels,
  requireUnheld,
} from "../agent-machine/check-spec.ts";
import { type OpenFiles, OpenSandboxes } from "../agent-machine/open-sandboxes.ts";
import {
  callE2b,
  describeE2bFailure,
  type E2bAccess,
  E2bError,
  type E2bLibrary,
  e2bOptions,
  findE2bLibrary,
} from "./e2b-client.ts";
import { E2bMachine, e2bAbilities } from "./e2b-machine.ts";

export interface E2bProviderOptions {
  /** The operator's E2B_API_KEY; without it the provider cannot be used. */
  readonly access: E2bAccess | undefined;
  /** Shows the workspace, by processes in the sandbox. */
  readonly openFiles: OpenFiles;
}

/** Sandboxes of E2B's cloud: microVMs that cost money while they run. */
export class E2bProvider implements SandboxProvider {
  readonly id = "e2b";
  readonly #options: E2bProviderOptions;
  readonly #sandboxes = new OpenSandboxes();

  constructor(options: E2bProviderOptions) {
    this.#options = options;
  }

  async probe(signal?: AbortSignal): Promise<Probe> {
    const { access } = this.#options;
    if (access === undefined)
      return { isUsable: false, reason: "There is no key for E2B.", fix: "set E2B_API_KEY" };
    const library = await findE2bLibrary();
    if (library === undefined)
      return { isUsable: false, reason: "E2B's library is missing.", fix: "npm install -g e2b" };
    try {
      await library.Sandbox.list({ ...e2bOptions(access, signal), limit: 1 }).nextItems();
      return { isUsable: true, abilities: e2bAbilities };
    } catch (error) {
      signal?.throwIfAborted();
      return {
        isUsable: false,
        reason: describeE2bFailure(error, access),
        fix: "check E2B_API_KEY",
      };
    }
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    checkSpec(spec, e2bAbilities);
    const { library, access } = await this.#open();
    if (!/^[A-Za-z0-9][A-Za-z0-9._/:-]{0,127}$/.test(spec.image) || spec.image === "host")
      throw new SandboxError(
        "unsupported",
        "The image is the name of a template of E2B's, as base.",
      );
    const mark = randomBytes(8).toString("hex");
    const endsAtMs = Date.now() + spec.limits.lifetimeMs;
    const proxySocket = spec.network === "proxy" ? spec.proxySocket : undefined;
    try {
      // Not aborted: what E2B has begun to make would stay. It is removed when it is there.
      const make = () =>
        library.Sandbox.create(spec.image, {
          ...e2bOptions(access),
          // A second try could make a second one.
          retries: 0,
          timeoutMs: spec.limits.lifetimeMs,
          lifecycle: { onTimeout: "kill" },
          allowInternetAccess: spec.network === "full",
          metadata: describeSandbox(spec, { mark, endsAtMs }),
        });
      const made = await callE2b(access, make);
      signal?.throwIfAborted();
      const parts = { library, access, ref: made.sandboxId, endsAtMs, proxySocket };
      const sandbox = await this.#sandboxes.open(
        new E2bMachine(parts, spec.env),
        this.#options.openFiles,
      );
      await sandbox.resume(signal);
      return sandbox;
    } catch (error) {
      const isRefused = error instanceof E2bError && (error.status ?? 500) < 500;
      await this.#removeMarked({ library, access }, mark, isRefused ? 1 : UNANSWERED_TRIES);
      throw error;
    }
  }

  /** A stopped one, unless this server runs it: an agent of another server is not ours. */
  async attach(ref: string, signal?: AbortSignal): Promise<Sandbox> {
    const known = this.#sandboxes.find(ref);
    if (known !== undefined) return known;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(ref))
      throw new SandboxError("gone", "That is no sandbox's id.");
    const { library, access } = await this.#open();
    const info = await library.Sandbox.getInfo(ref, e2bOptions(access, signal)).catch(
      (error: unknown) => {
        signal?.throwIfAborted();
        const isGone = error instanceof library.NotFoundError;
        throw new SandboxError(isGone ? "gone" : "failed", describeE2bFailure(error, access));
      },
    );
    if (info.metadata[labels.owner] === undefined)
      throw new SandboxError("gone", `Sandbox ${ref} is none of ours.`);
    requireUnheld(ref, info.metadata[labels.server]);
    const endsAtMs = Number(info.metadata[ENDS_LABEL] ?? info.endAt.getTime());
    // Everybody of the team writes labels: none says which socket of this host its connections go to.
    const parts = { library, access, ref, endsAtMs, proxySocket: undefined };
    const machine = new E2bMachine(parts);
    await machine.stop();
    return await this.#sandboxes.open(machine, this.#options.openFiles);
  }

  async list(owner: string, signal?: AbortSignal): Promise<readonly SandboxRecord[]> {
    const { library, access } = await this.#open();
    const found = await callE2b(
      access,
      () => listAll(library, access, { [labels.owner]: labelOf(owner) }, signal),
      signal,
    );
    return found.map(({ sandboxId, metadata, startedAt }) => ({
      ref: sandboxId,
      createdAtMs: startedAt.getTime(),
      ...readLabels(metadata),
    }));
  }

  /** SandboxError "unavailable". */
  async #open(): Promise<E2bReach> {
    const { access } = this.#options;
    const library = await findE2bLibrary();
    if (access !== undefined && library !== undefined) return { library, access };
    throw new SandboxError(
      "unavailable",
      access === undefined
        ? "There is no key for E2B. To allow it: set E2B_API_KEY."
        : "E2B's library is missing. To have it: npm install -g e2b",
    );
  }

  /** An answer that never came leaves no id: what was made is found by its mark. */
  async #removeMarked({ library, access }: E2bReach, mark: string, tries: number): Promise<void> {
    const find = () => listAll(library, access, { [MARK_LABEL]: mark });
    let found = await callE2b(access, find);
    for (let left = tries; left > 1 && found.length === 0; left--) {
      await sleep(UNANSWERED_WAIT_MS);
      found = await callE2b(access, find);
    }
    for (const { sandboxId } of found) {
      this.#sandboxes.forget(sandboxId);
      const parts = { library, access, ref: sandboxId, endsAtMs: 0, proxySocket: undefined };
      await new E2bMachine(parts).remove();
    }
  }
}

const MARK_LABEL = "agentos-mcp.mark";
const ENDS_LABEL = "agentos-mcp.ends";
/** Pages of a hundred that are looked through. */
const PAGES = 100;

/** A request whose answer was lost may still be worked on. */
const UNANSWERED_TRIES = 4;
const UNANSWERED_WAIT_MS = 500;

interface E2bReach {
  readonly library: E2bLibrary;
  readonly access: E2bAccess;
}

interface Marks {
  readonly mark: string;
  readonly endsAtMs: number;
}

function describeSandbox(spec: SandboxSpec, marks: Marks): Record<string, string> {
  return {
    ...labelsOf(spec),
    [MARK_LABEL]: marks.mark,
    [ENDS_LABEL]: String(marks.endsAtMs),
  };
}

async function listAll(
  library: E2bLibrary,
  access: E2bAccess,
  metadata: Record<string, string>,
  signal?: AbortSignal,
) {
  const pages = library.Sandbox.list({
    ...e2bOptions(access, signal),
    query: { metadata, state: ["running", "paused"] },
    limit: 100,
  });
  const found = [];
  for (let page = 0; page < PAGES && pages.hasNext; page++)
    found.push(...(await pages.nextItems()));
  return found;
}
