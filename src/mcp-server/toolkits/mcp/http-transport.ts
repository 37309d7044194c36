import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { boundedFetch } from "./bounded-fetch.ts";
import type { HttpSpec } from "./server-spec.ts";

/**
 * The headers of the configuration go to the server's own origin only: redirects elsewhere fail, as the
 * SDK has it.
 */
export function httpTransport({ url, headers }: HttpSpec, kind: "http" | "sse"): Transport {
  const options = { fetch: boundedFetch, requestInit: { headers: { ...headers } } };
  return kind === "http"
    ? new StreamableHTTPClientTransport(url, options)
    : new SSEClientTransport(url, options);
}
