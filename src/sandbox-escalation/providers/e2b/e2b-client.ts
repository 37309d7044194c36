// E2B's own library, a peer that operators install if they want it; loaded when it is first needed.
import type { NotFoundError, Sandbox } from "e2b";
import { SandboxError } from "../../provider.ts";

/** What of it is used. */
export interface E2bLibrary {
  readonly NotFoundError: typeof NotFoundError;
  readonly Sandbox: typeof Sandbox;
}

/** How E2B is reached: the operator's. */
export interface E2bAccess {
  readonly apiKey: string;
  /** Elsewhere than E2B's own cloud. */
  readonly apiUrl?: string;
  readonly sandboxUrl?: string;
}

/** For the library's calls. Its debug mode, which a variable could switch on, asks nobody and says yes. */
export function e2bOptions(access: E2bAccess, signal?: AbortSignal) {
  return { ...access, debug: false, ...(signal === undefined ? {} : { signal }) };
}

/** Undefined where it is not installed. */
export async function findE2bLibrary(): Promise<E2bLibrary | undefined> {
  try {
    const library = await import("e2b");
    return { NotFoundError: library.NotFoundError, Sandbox: library.Sandbox };
  } catch {
    // Not installed, or not for this Node: the probe says how to have it.
    return undefined;
  }
}

/** What went wrong, in words that never hold the key. */
export function describeE2bFailure(error: unknown, access: E2bAccess): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.replaceAll(access.apiKey, "…").replace(/\s+/g, " ");
  return `E2B: ${line.slice(0, 400)}`;
}

/** Runs a call of the library; what it throws becomes a SandboxError "failed", or the signal's reason. */
export async function callE2b<T>(
  access: E2bAccess,
  call: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    signal?.throwIfAborted();
    throw new SandboxError("failed", describeE2bFailure(error, access));
  }
}
