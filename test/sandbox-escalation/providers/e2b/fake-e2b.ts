// E2B's cloud for tests, as its library sees it: the API that makes sandboxes, and `envd` inside each. Behind it
// are local sandboxes, so processes, terminals and files are real.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sandbox } from "../../../../src/sandbox-escalation/provider.ts";
import { type LocalUnderTest, openLocal } from "../local/local-under-test.ts";
import { serveEnvd } from "./fake-envd.ts";
import { answer, readBody } from "./http-exchange.ts";

export const API_KEY = `e2b_${"0123456789abcdef".repeat(2)}01234567`;

export interface FakeSandbox {
  readonly id: string;
  readonly token: string;
  readonly machine: Sandbox;
  readonly body: CreateBody;
  readonly startedAt: string;
  state: "running" | "paused";
  timeoutSeconds: number;
}

interface CreateBody {
  readonly templateID: string;
  readonly timeout: number;
  readonly metadata: Record<string, string>;
  readonly allow_internet_access: boolean;
  readonly envVars?: Record<string, string>;
}

export class FakeE2b {
  readonly sandboxes = new Map<string, FakeSandbox>();
  /** Answers deletions with success and keeps what was to be deleted. */
  isForgetful = false;
  /** Answers deletions with an error, and keeps what was to be deleted. */
  failsDeletes = false;
  /** Answers a creation so, once; 0: makes one and loses the answer. */
  nextCreation: number | undefined;
  pageLimit = 100;
  isToolless = false;
  readonly #local: LocalUnderTest = openLocal();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        answer(response, 500, { code: 500, message: String(error) });
      });
    });
  }

  static async start(): Promise<FakeE2b> {
    const fake = new FakeE2b();
    await new Promise<void>((resolve) => fake.#server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The machine is gone, without anybody's having asked for it. */
  async lose(id: string): Promise<void> {
    const sandbox = this.sandboxes.get(id);
    this.sandboxes.delete(id);
    await sandbox?.machine.destroy();
  }

  async stop(): Promise<void> {
    for (const { machine } of this.sandboxes.values()) await machine.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#local.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const inside = request.headers["e2b-sandbox-id"];
    if (typeof inside === "string") {
      const sandbox = this.sandboxes.get(inside);
      if (sandbox === undefined || sandbox.state === "paused") return answer(response, 502, {});
      if (request.headers["x-access-token"] !== sandbox.token) return answer(response, 401, {});
      if (this.isToolless) return answer(response, 500, { code: "internal", message: "broken" });
      return await serveEnvd(sandbox.machine, request, response);
    }
    if (request.headers["x-api-key"] !== API_KEY)
      return answer(response, 401, { code: 401, message: `no such key ${API_KEY}` });
    return await this.#serveApi(url, request, response);
  }

  async #serveApi(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [first, second] = url.pathname.replace(/^\/v2/, "").split("/").slice(2);
    const route = `${request.method} ${second ?? (first === undefined ? "all" : "one")}`;
    const body: unknown = JSON.parse((await readBody(request)).toString() || "{}");
    if (route === "POST all") return await this.#answerCreation(body, response);
    if (route === "GET all") return this.#list(url.searchParams, response);
    const sandbox = this.sandboxes.get(first ?? "");
    if (sandbox === undefined) return answer(response, 404, { code: 404, message: "not found" });
    if (route === "GET one") return answer(response, 200, describe(sandbox));
    if (route === "POST connect") return answer(response, 200, await connect(sandbox, body));
    if (route === "POST pause") return await pause(sandbox, body, response);
    if (route !== "DELETE one") return answer(response, 404, { code: 404, message: route });
    if (this.failsDeletes) return answer(response, 500, { code: 500, message: "out of order" });
    if (!this.isForgetful) {
      this.sandboxes.delete(sandbox.id);
      await sandbox.machine.destroy();
    }
    return answer(response, 204, undefined);
  }

  async #answerCreation(body: unknown, response: ServerResponse): Promise<void> {
    const status = this.nextCreation;
    this.nextCreation = undefined;
    if (status !== undefined && status > 0)
      return answer(response, status, { code: status, message: `refused for ${API_KEY}` });
    const { timeout } = body as CreateBody;
    if (timeout > 86_400)
      return answer(response, 400, {
        code: 400,
        message: "Timeout cannot be greater than 24 hours",
      });
    if (status === 0) response.socket?.destroySoon();
    answer(response, 201, await this.#create(body));
  }

  async #create(body: unknown): Promise<unknown> {
    const asked = body as CreateBody;
    const machine = await this.#local.provider.create(await this.#local.makeSpec());
    const sandbox: FakeSandbox = {
      id: randomBytes(10).toString("hex"),
      token: randomBytes(10).toString("hex"),
      machine,
      body: asked,
      startedAt: new Date().toISOString(),
      state: "running",
      timeoutSeconds: asked.timeout,
    };
    this.sandboxes.set(sandbox.id, sandbox);
    return describe(sandbox);
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const wanted = [...new URLSearchParams(query.get("metadata") ?? "")].map(([name, value]) => [
      decodeURIComponent(name),
      decodeURIComponent(value),
    ]);
    const found = [...this.sandboxes.values()]
      .filter(({ body }) => wanted.every(([name, value]) => body.metadata[name ?? ""] === value))
      .map((sandbox) => describe(sandbox));
    const from = Number(query.get("nextToken") ?? "0");
    const to = from + Math.min(Number(query.get("limit") ?? "100"), this.pageLimit);
    if (to < found.length) response.setHeader("x-next-token", String(to));
    answer(response, 200, found.slice(from, to));
  }
}

function describe(sandbox: FakeSandbox): unknown {
  return {
    sandboxID: sandbox.id,
    templateID: sandbox.body.templateID,
    clientID: "fake",
    envdVersion: "0.5.7",
    envdAccessToken: sandbox.token,
    metadata: sandbox.body.metadata,
    startedAt: sandbox.startedAt,
    endAt: new Date(Date.parse(sandbox.startedAt) + sandbox.timeoutSeconds * 1000).toISOString(),
    state: sandbox.state,
    cpuCount: 2,
    memoryMB: 512,
  };
}

async function connect(sandbox: FakeSandbox, body: unknown): Promise<unknown> {
  await sandbox.machine.resume();
  sandbox.state = "running";
  sandbox.timeoutSeconds = (body as { timeout: number }).timeout;
  return describe(sandbox);
}

async function pause(sandbox: FakeSandbox, body: unknown, response: ServerResponse): Promise<void> {
  if (sandbox.state === "paused") return answer(response, 409, { code: 409, message: "paused" });
  if ((body as { memory?: boolean }).memory !== false) throw new Error("memory is not kept here");
  await sandbox.machine.stop();
  sandbox.state = "paused";
  answer(response, 204, undefined);
}
