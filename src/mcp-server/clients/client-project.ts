// The project of one connection's client.
import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Clients answer at once or show a person something, which is not worth waiting for. */
const rootsLimitMs = 2000;
const rootsResult = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/** Found out once for a connection. */
export class ClientProject {
  readonly #told: string | undefined;
  #root: Promise<string> | undefined;

  /** `told` is what the client's shim says. */
  constructor(told: string | undefined) {
    this.#told = told;
  }

  /** The project's path; without one, the first MCP root where the client can be asked; else empty. */
  async path(request: ServerContext["mcpReq"], hasRoots: boolean): Promise<string> {
    if (this.#told !== undefined) return this.#told;
    if (!hasRoots) return "";
    this.#root ??= firstRoot(request);
    return await this.#root;
  }
}

async function firstRoot(request: ServerContext["mcpReq"]): Promise<string> {
  try {
    const options = { timeout: rootsLimitMs };
    const answer: unknown = await request.send({ method: "roots/list" }, options);
    return rootsResult.parse(answer).roots[0]?.uri ?? "";
  } catch {
    // A client that says it has roots and cannot name them has no project.
    return "";
  }
}
