import { randomBytes } from "node:crypto";
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
  readLabels,
  requireUnheld,
} from "../agent-machine/check-spec.ts";
import { type OpenFiles, OpenSandboxes } from "../agent-machine/open-sandboxes.ts";
import { daytonaAbilities, describeCreation, factsOf, factsOfRecord } from "./creation.ts";
import { type DaytonaAccess, DaytonaClient } from "./daytona-client.ts";
import { DaytonaError } from "./daytona-failure.ts";
import { findDaytonaLibrary, INSTALL_LINE } from "./daytona-library.ts";
import { DaytonaMachine } from "./daytona-machine.ts";
import { askForOne, listRecords } from "./list-records.ts";
import { pause } from "./pause.ts";
import { removeSandbox } from "./remove-sandbox.ts";
import { findRecord, readRecord } from "./sandbox-state.ts";

export interface DaytonaProviderOptions {
  /** The operator's DAYTONA_API_KEY; without it the provider cannot be used. */
  readonly access: DaytonaAccess | undefined;
  /** Shows the workspace, by processes in the sandbox. */
  readonly openFiles: OpenFiles;
}

/** Sandboxes of Daytona's, its cloud's or one's own: containers and VMs that cost money while they run. */
export class DaytonaProvider implements SandboxProvider {
  readonly id = "daytona";
  readonly #options: DaytonaProviderOptions;
  readonly #sandboxes = new OpenSandboxes();

  constructor(options: DaytonaProviderOptions) {
    this.#options = options;
  }

  async probe(signal?: AbortSignal): Promise<Probe> {
    const { access } = this.#options;
    if (access === undefined)
      return {
        isUsable: false,
        reason: "There is no key for Daytona.",
        fix: "set DAYTONA_API_KEY",
      };
    if ((await findDaytonaLibrary()) === undefined)
      return { isUsable: false, reason: "Daytona's library is missing.", fix: INSTALL_LINE };
    try {
      const client = await DaytonaClient.open(access);
      await askForOne(client, signal);
      return { isUsable: true, abilities: daytonaAbilities };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof SandboxError)) throw error;
      return { isUsable: false, reason: error.message, ...fixOf(error) };
    }
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    checkSpec(spec, daytonaAbilities);
    const client = await DaytonaClient.open(this.#options.access);
    const facts = factsOf(spec);
    const name = `agentos-${randomBytes(8).toString("hex")}`;
    const wish = describeCreation(spec, facts, name);
    const { sandboxes, target } = client;
    const body = target === undefined ? wish : { ...wish, target };
    try {
      // Not aborted: what Daytona has begun to make would stay. It is removed when it is there.
      const answer = await client.ask(
        (options) => sandboxes.createSandbox(body, undefined, options),
        { isRepeatable: false, timeoutMs: CREATE_LIMIT_MS },
      );
      const { id } = readRecord(answer);
      signal?.throwIfAborted();
      const sandbox = await this.#sandboxes.open(
        new DaytonaMachine(client, id, facts, spec.env),
        this.#options.openFiles,
      );
      await sandbox.resume(signal);
      return sandbox;
    } catch (error) {
      await this.#removeHalfMade(client, name, error);
      throw error;
    }
  }

  /** A stopped one, unless this server runs it: an agent of another server is not ours. */
  async attach(ref: string, signal?: AbortSignal): Promise<Sandbox> {
    const known = this.#sandboxes.find(ref);
    if (known !== undefined) return known;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(ref))
      throw new SandboxError("gone", "That is no sandbox's id.");
    const client = await DaytonaClient.open(this.#options.access);
    const record = await findRecord(client, ref, signal);
    if (record?.id !== ref || record.labels[labels.owner] === undefined)
      throw new SandboxError("gone", `There is no sandbox ${ref} of ours at Daytona.`);
    requireUnheld(ref, record.labels[labels.server]);
    const machine = new DaytonaMachine(client, ref, factsOfRecord(record));
    await machine.stop();
    return await this.#sandboxes.open(machine, this.#options.openFiles);
  }

  async list(owner: string, signal?: AbortSignal): Promise<readonly SandboxRecord[]> {
    const client = await DaytonaClient.open(this.#options.access);
    const found = await listRecords(client, { [labels.owner]: labelOf(owner) }, signal);
    return found.map((record) => ({
      ref: record.id,
      createdAtMs: Date.parse(record.createdAt ?? "") || 0,
      ...readLabels(record.labels),
    }));
  }

  /** An answer that never came leaves no id: what was made is found by its name. */
  async #removeHalfMade(client: DaytonaClient, name: string, error: unknown): Promise<void> {
    const isRefused = error instanceof DaytonaError && (error.status ?? 500) < 500;
    const tries = isRefused ? 1 : UNANSWERED_TRIES;
    for (let left = tries; left > 0; left--) {
      const record = await findRecord(client, name);
      if (record !== undefined) {
        this.#sandboxes.forget(record.id);
        return await removeSandbox(client, record.id);
      }
      if (left > 1) await pause(UNANSWERED_WAIT_MS);
    }
  }
}

/** What the reason does not say already. */
function fixOf(error: SandboxError): { readonly fix?: string } {
  const hasAnswer = error instanceof DaytonaError && error.status !== undefined;
  if (!hasAnswer) return { fix: "check DAYTONA_API_URL and the network" };
  const isKeys = error.code === "unavailable" || error.code === "denied";
  return isKeys ? { fix: "check DAYTONA_API_KEY" } : {};
}

/** A snapshot's sandbox is answered for when it runs, within half a minute; see Daytona's createSandbox. */
const CREATE_LIMIT_MS = 120_000;
/** A request whose answer was lost may still be worked on. */
const UNANSWERED_TRIES = 4;
const UNANSWERED_WAIT_MS = 500;
