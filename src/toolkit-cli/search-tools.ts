/** Search over toolkits that may have to be started for it. */
import { describeFailure } from "./describe-failure.ts";
import { describeToolkit } from "./describe-toolkit.ts";
import type { ToolkitDescription } from "./description.ts";
import { rankTools, type ToolMatch } from "./rank-tools.ts";
import { ToolError } from "./tool-event.ts";
import type { Toolkit } from "./toolkit.ts";
import { atOnce, type Turn } from "./turn.ts";

export interface SearchOptions {
  readonly limit: number;
  /** What a toolkit has; all of it unless said otherwise. */
  readonly describe?: (toolkit: Toolkit, signal: AbortSignal) => Promise<ToolkitDescription>;
  readonly signal?: AbortSignal;
  /** How long one toolkit may take to say what it has. */
  readonly timeoutMs?: number;
  /** When to compare, which takes the thread a while where there are many tools. */
  readonly turn?: Turn;
}

export interface SearchResult {
  readonly matches: readonly ToolMatch[];
  /** Toolkits that could not be searched. */
  readonly unavailable: readonly { readonly toolkit: string; readonly message: string }[];
}

const TIMEOUT_MS = 20_000;

/** Best first; a toolkit that fails or takes too long leaves the others searched. */
export async function searchTools(
  toolkits: readonly Toolkit[],
  query: string,
  options: SearchOptions,
): Promise<SearchResult> {
  const described = await Promise.all(
    toolkits.map(async (toolkit) => await describeInTime(toolkit, options)),
  );
  const available = described.filter((found) => "tools" in found);
  const unavailable = described.filter((found) => "message" in found);
  const { limit, turn = atOnce } = options;
  return {
    matches: await turn(() => rankTools(available, query, limit), options.signal),
    unavailable,
  };
}

type Unavailable = SearchResult["unavailable"][number];

async function describeInTime(
  toolkit: Toolkit,
  options: SearchOptions,
): Promise<ToolkitDescription | Unavailable> {
  const { describe = describeAll, timeoutMs = TIMEOUT_MS } = options;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(tooSlow(timeoutMs)), timeoutMs);
  const signals = options.signal === undefined ? [] : [options.signal];
  const signal = AbortSignal.any([stop.signal, ...signals]);
  try {
    return await Promise.race([describe(toolkit, signal), whenAborted(signal)]);
  } catch (error) {
    return { toolkit: toolkit.name, message: describeFailure(error).message };
  } finally {
    clearTimeout(timer);
  }
}

async function describeAll(toolkit: Toolkit, signal: AbortSignal): Promise<ToolkitDescription> {
  return await describeToolkit(toolkit, () => true, signal);
}

async function whenAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return await new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(asError(signal.reason)), { once: true });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new ToolError("cancelled", "The search was cancelled.");
}

function tooSlow(timeoutMs: number): ToolError {
  return new ToolError("timeout", `It did not say what it has within ${timeoutMs} ms.`);
}
