// The client library of sandbox-agent servers, a peer that operators install if they want it; loaded when first needed.
import type { SandboxAgent, SandboxAgentError } from "sandbox-agent";
import { SandboxError } from "../../provider.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { SandboxAgentAccess } from "./server-address.ts";

/** What of it is used. */
interface Library {
  readonly SandboxAgent: typeof SandboxAgent;
  readonly SandboxAgentError: typeof SandboxAgentError;
}

/** Undefined where it is not installed. */
export async function findServerLibrary(): Promise<Library | undefined> {
  try {
    const library = await import("sandbox-agent");
    return { SandboxAgent: library.SandboxAgent, SandboxAgentError: library.SandboxAgentError };
  } catch {
    // Not installed, or not for this Node: the probe says how to have it.
    return undefined;
  }
}

export const NO_LIBRARY = {
  reason: "The library sandbox-agent is missing.",
  fix: "npm install -g sandbox-agent",
} as const;

/** How a call went wrong. */
export interface ServerFailure {
  /** HTTP's; undefined where there was no answer. */
  readonly status: number | undefined;
  /** Never with the token in it. */
  readonly words: string;
}

/** One server, asked by its own library. */
export class ServerClient {
  readonly access: SandboxAgentAccess;
  readonly #library: Library;

  private constructor(library: Library, access: SandboxAgentAccess) {
    this.#library = library;
    this.access = access;
  }

  /** SandboxError "unavailable" where the library is not installed. */
  static async open(access: SandboxAgentAccess): Promise<ServerClient> {
    const library = await findServerLibrary();
    if (library !== undefined) return new ServerClient(library, access);
    throw new SandboxError("unavailable", `${NO_LIBRARY.reason} To have it: ${NO_LIBRARY.fix}`);
  }

  /** Fails with SandboxError "failed", or with the signal's reason. */
  async call<T>(ask: (agent: SandboxAgent) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await this.ask(ask, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw new SandboxError("failed", this.explain(error).words);
    }
  }

  /** As `call`, with the library's own errors. */
  async ask<T>(ask: (agent: SandboxAgent) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { url: baseUrl, token } = this.access;
    // The library takes signals for few of its calls, and waits a minute for a server that is not there.
    const options = { baseUrl, token, fetch: guardedFetch(signal), skipHealthCheck: true };
    return await ask(new this.#library.SandboxAgent(options));
  }

  explain(error: unknown): ServerFailure {
    if (error instanceof this.#library.SandboxAgentError) {
      const { status, problem } = error;
      const why = problem?.detail ?? problem?.title ?? "no reason given";
      return { status, words: this.#say(`it answers ${status}: ${why}`) };
    }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const text = cause instanceof Error ? cause.message : String(cause);
    return { status: undefined, words: this.#say(text) };
  }

  #say(text: string): string {
    const line = text.replaceAll(this.access.token, "…").replace(/\s+/g, " ");
    return `The sandbox-agent server at ${new URL(this.access.url).host}: ${line.slice(0, 400)}`;
  }
}
