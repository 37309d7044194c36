import type { SandboxApi, SnapshotsApi } from "@daytona/api-client";
import type { ProcessApi } from "@daytona/toolbox-api-client";
import type { WebSocket } from "ws";
import { SandboxError } from "../../provider.ts";
import { describeFailure, isPassing } from "./daytona-failure.ts";
import { type DaytonaLibrary, findDaytonaLibrary, INSTALL_LINE } from "./daytona-library.ts";
import { pause } from "./pause.ts";

/** How Daytona is reached: the operator's. */
export interface DaytonaAccess {
  readonly apiKey: string;
  /** Elsewhere than Daytona's own cloud. */
  readonly apiUrl?: string;
  /** The region that sandboxes are made in; else the organization's own. */
  readonly target?: string;
}

/** Options of a client's call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeout: number;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Not what makes something: a second try could make a second one. */
  readonly isRepeatable?: boolean;
}

/** Daytona's own clients with the operator's key: its API, and the toolbox that answers inside each sandbox. */
export class DaytonaClient {
  readonly sandboxes: SandboxApi;
  readonly snapshots: SnapshotsApi;
  readonly target: string | undefined;
  readonly #library: DaytonaLibrary;
  readonly #access: DaytonaAccess;

  private constructor(library: DaytonaLibrary, access: DaytonaAccess) {
    const basePath = requireSafe(access.apiUrl ?? CLOUD).replace(/\/+$/, "");
    const configuration = new library.Configuration({ basePath, baseOptions: settings(access) });
    this.sandboxes = new library.SandboxApi(configuration);
    this.snapshots = new library.SnapshotsApi(configuration);
    this.target = access.target;
    this.#library = library;
    this.#access = access;
  }

  /** SandboxError "unavailable". */
  static async open(access: DaytonaAccess | undefined): Promise<DaytonaClient> {
    if (access === undefined)
      throw new SandboxError(
        "unavailable",
        "There is no key for Daytona. To allow it: set DAYTONA_API_KEY",
      );
    const library = await findDaytonaLibrary();
    if (library === undefined)
      throw new SandboxError(
        "unavailable",
        `Daytona's library is missing. To have it: ${INSTALL_LINE}`,
      );
    return new DaytonaClient(library, access);
  }

  /** The toolbox's processes of one sandbox, `url` as its record has it. */
  openToolbox(url: string): ProcessApi {
    const baseOptions = settings(this.#access);
    const configuration = new this.#library.ToolboxConfiguration({
      basePath: requireSafe(url),
      baseOptions,
    });
    return new this.#library.ProcessApi(configuration);
  }

  openSocket(url: string): WebSocket {
    return new this.#library.WebSocket(requireSafe(url).replace(/^http/, "ws"), {
      headers: settings(this.#access).headers,
      handshakeTimeout: CALL_LIMIT_MS,
      maxPayload: MESSAGE_LIMIT_BYTES,
      perMessageDeflate: false,
    });
  }

  /** What a client's call answers. DaytonaError, or the signal's reason. */
  async ask<T>(
    call: (options: CallOptions) => Promise<{ readonly data: T }>,
    { signal, timeoutMs = CALL_LIMIT_MS, isRepeatable = true }: AskOptions = {},
  ): Promise<T> {
    const options = { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) };
    for (let attempt = 1; ; attempt++) {
      try {
        return (await call(options)).data;
      } catch (error) {
        signal?.throwIfAborted();
        const failure = describeFailure(error, this.#access.apiKey);
        if (!isRepeatable || attempt === TRIES || !isPassing(failure)) throw failure;
        const waitMs = failure.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt;
        await pause(Math.min(waitMs, LONGEST_WAIT_MS), signal);
      }
    }
  }
}

/** Of every call, whoever answers. A redirection would carry the key elsewhere. */
function settings({ apiKey }: DaytonaAccess) {
  return {
    headers: { Authorization: `Bearer ${apiKey}`, "X-Daytona-Source": "agentos-mcp" },
    maxRedirects: 0,
    maxContentLength: ANSWER_LIMIT_BYTES,
    maxBodyLength: ANSWER_LIMIT_BYTES,
  };
}

/** The key goes there: encrypted, or to this machine. SandboxError "denied". */
function requireSafe(url: string): string {
  const { protocol, hostname } = parse(url);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && isLoopback)) return url;
  throw new SandboxError("denied", `Daytona's key is not sent to ${hostname} without encryption.`);
}

function parse(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new SandboxError("unavailable", "Daytona's address is no URL: check DAYTONA_API_URL");
  }
}

/** As Daytona's SDK has it. */
const CLOUD = "https://app.daytona.io/api";
const CALL_LIMIT_MS = 60_000;
const TRIES = 4;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;
/** A page of a hundred sandboxes has some 200 KB. */
const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;
/** The toolbox sends at most 32 KiB at once. */
const MESSAGE_LIMIT_BYTES = 1024 * 1024;
