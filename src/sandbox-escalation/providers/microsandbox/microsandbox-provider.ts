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
  labelsOf,
  requireUnheld,
} from "../agent-machine/check-spec.ts";
import { type OpenFiles, OpenSandboxes } from "../agent-machine/open-sandboxes.ts";
import {
  type BoxBuilder,
  type BoxHandle,
  codeOfFailure,
  describeFailure,
  findMicrosandbox,
  type Microsandbox,
  type MicrosandboxLibrary,
} from "./microsandbox-library.ts";
import {
  MicrosandboxMachine,
  microsandboxAbilities,
  SNAPSHOT_PREFIX,
} from "./microsandbox-machine.ts";
import { probeMicrosandbox, tryBoot } from "./probe-microsandbox.ts";

export interface MicrosandboxProviderOptions {
  /** Shows the workspace, by processes in the sandbox. */
  readonly openFiles: OpenFiles;
  /** Whether an image that is not on this machine may be fetched. */
  readonly canPull?: boolean;
  /** Booted once by the first probe, to be sure; without it the library's own look at the machine counts. */
  readonly bootImage?: string;
  /** The library; where this package finds it unless told otherwise. */
  readonly find?: () => Promise<Microsandbox | undefined>;
}

/** Sandboxes that are microVMs on this machine, by microsandbox. */
export class MicrosandboxProvider implements SandboxProvider {
  readonly id = "microsandbox";
  readonly #options: MicrosandboxProviderOptions;
  readonly #sandboxes = new OpenSandboxes();
  #found: Promise<Microsandbox | undefined> | undefined;
  #boot: Promise<Probe> | undefined;

  constructor(options: MicrosandboxProviderOptions) {
    this.#options = options;
  }

  async probe(signal?: AbortSignal): Promise<Probe> {
    const found = await this.#find();
    const probe = await probeMicrosandbox(found, signal);
    const { bootImage } = this.#options;
    if (!probe.isUsable || found === undefined || bootImage === undefined) return probe;
    this.#boot ??= tryBoot(found, bootImage);
    return await this.#boot;
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    checkSpec(spec, microsandboxAbilities);
    checkImage(spec.image);
    const library = await this.#open();
    const ref = `agentos-${randomBytes(12).toString("hex")}`;
    const endsAtMs = Date.now() + spec.limits.lifetimeMs;
    const proxySocket = spec.network === "proxy" ? spec.proxySocket : undefined;
    const machine = new MicrosandboxMachine({ library, ref, endsAtMs, proxySocket }, spec.env);
    try {
      // Not aborted: what has begun to boot would stay.
      const marks = { ...labelsOf(spec), [ENDS_LABEL]: String(endsAtMs) };
      const all = proxySocket === undefined ? marks : { ...marks, [PROXY_LABEL]: proxySocket };
      machine.hold(await this.#describe(library.Sandbox.builder(ref), spec).labels(all).create());
      signal?.throwIfAborted();
      const sandbox = await this.#sandboxes.open(machine, this.#options.openFiles);
      await sandbox.resume(signal);
      return sandbox;
    } catch (error) {
      this.#sandboxes.forget(ref);
      await machine.remove();
      signal?.throwIfAborted();
      throw error instanceof SandboxError ? error : failureOf(error, spec.image);
    }
  }

  /** A stopped one, unless this server runs it: an agent of another server is not ours. */
  async attach(ref: string, signal?: AbortSignal): Promise<Sandbox> {
    const known = this.#sandboxes.find(ref);
    if (known !== undefined) return known;
    if (!REF.test(ref)) throw new SandboxError("gone", "That is no sandbox's name.");
    const library = await this.#open();
    const handle = await library.Sandbox.get(ref).catch((error: unknown) => {
      const isGone = codeOfFailure(error) === "sandboxNotFound";
      throw new SandboxError(isGone ? "gone" : "failed", describeFailure(error));
    });
    signal?.throwIfAborted();
    const own = labelsOfBox(handle);
    if (own.get(labels.owner) === undefined)
      throw new SandboxError("gone", `Sandbox ${ref} is none of ours.`);
    requireUnheld(ref, own.get(labels.server));
    const endsAtMs = Number(own.get(ENDS_LABEL) ?? 0);
    const proxySocket = own.get(PROXY_LABEL);
    const machine = new MicrosandboxMachine({ library, ref, endsAtMs, proxySocket });
    await machine.stop();
    return await this.#sandboxes.open(machine, this.#options.openFiles);
  }

  async list(owner: string): Promise<readonly SandboxRecord[]> {
    const library = await this.#open();
    const found: SandboxRecord[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES; page++) {
      const from = cursor;
      const { sandboxes, nextCursor } = await library.Sandbox.listWith((list) => {
        const ours = list.limit(100).label(labels.owner, labelOf(owner));
        return from === undefined ? ours : ours.cursor(from);
      });
      found.push(...sandboxes.filter(({ name }) => REF.test(name)).map(describeBox));
      if (nextCursor === undefined || nextCursor === "") break;
      cursor = nextCursor;
    }
    return found;
  }

  #describe(builder: BoxBuilder, spec: SandboxSpec): BoxBuilder {
    const { memoryMb, cpus, diskMb, lifetimeMs } = spec.limits;
    const { image } = spec;
    const rooted = image.startsWith(SNAPSHOT_PREFIX)
      ? builder.fromSnapshot(image.slice(SNAPSHOT_PREFIX.length))
      : builder.image(image).rootDisk(Math.ceil(diskMb));
    const sized = rooted.cpus(Math.max(Math.floor(cpus), 1)).memory(Math.ceil(memoryMb));
    const limited = sized.maxDuration(Math.ceil(lifetimeMs / 1000)).quietLogs();
    const pulled = limited.pullPolicy(this.#options.canPull === true ? "if-missing" : "never");
    // With the network of its own it reaches public addresses only.
    return spec.network === "full" ? pulled : pulled.disableNetwork();
  }

  async #find(): Promise<Microsandbox | undefined> {
    const { find = () => findMicrosandbox(import.meta.url) } = this.#options;
    this.#found ??= find();
    return await this.#found;
  }

  /** SandboxError "unavailable". */
  async #open(): Promise<MicrosandboxLibrary> {
    const found = await this.#find();
    if (found !== undefined) return found.library;
    const missing = "The library microsandbox is missing. To have it: npm install -g microsandbox";
    throw new SandboxError("unavailable", missing);
  }
}

const REF = /^agentos-[0-9a-f]{24}$/;
const ENDS_LABEL = "agentos-mcp.ends";
const PROXY_LABEL = "agentos-mcp.proxy";
/** Pages of a hundred that are looked through. */
const PAGES = 100;

/** Directories and disks of this machine would be written to, by every sandbox made of them. */
function checkImage(image: string): void {
  const isReference = /^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,199}$/.test(image);
  if (isReference && image !== "host" && !/\.(qcow2|raw|vmdk)$/i.test(image)) return;
  throw new SandboxError(
    "unsupported",
    `The image is an OCI reference, as debian:13, or ${SNAPSHOT_PREFIX} and a snapshot's name.`,
  );
}

function failureOf(error: unknown, image: string): SandboxError {
  const code = codeOfFailure(error);
  if (code !== "image" && code !== "imageNotFound")
    return new SandboxError("failed", describeFailure(error));
  const fix = `To have it: msb pull ${image}, or "pull": true in the configuration.`;
  return new SandboxError("unavailable", `${describeFailure(error)}. ${fix}`);
}

function labelsOfBox(handle: BoxHandle): ReadonlyMap<string, string> {
  const { labels: found } = handle.config();
  const entries: [string, unknown][] =
    typeof found === "object" && found !== null ? Object.entries(found) : [];
  return new Map(
    entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

function describeBox(handle: BoxHandle): SandboxRecord {
  const own = labelsOfBox(handle);
  const server = own.get(labels.server);
  return {
    ref: handle.name,
    vm: own.get(labels.vm) ?? "",
    createdAtMs: handle.createdAt?.getTime() ?? 0,
    ...(server === undefined ? {} : { server }),
  };
}
