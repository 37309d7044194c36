// Daytona for tests, as its clients see it: the API that makes sandboxes, and the toolbox inside each. It behaves as
// apps/api and apps/daemon of Daytona 0.190. Behind it are local sandboxes, so processes, terminals and files are real.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sandbox } from "../../../../src/sandbox-escalation/provider.ts";
import { runInSandbox } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import { answer, readBody } from "../e2b/http-exchange.ts";
import { type LocalUnderTest, openLocal } from "../local/local-under-test.ts";
import { FakeToolbox } from "./fake-toolbox.ts";

export const API_KEY = `dtn_${"0123456789abcdef".repeat(4)}`;

export interface FakeSandbox {
  readonly id: string;
  readonly body: CreateBody;
  readonly createdAt: string;
  readonly toolbox: FakeToolbox;
  machine: Sandbox | undefined;
  name: string;
  state: string;
  errorReason?: string;
}

interface CreateBody {
  readonly name: string;
  readonly snapshot?: string;
  readonly buildInfo?: { readonly dockerfileContent: string };
  readonly labels: Record<string, string>;
  readonly [key: string]: unknown;
}

/** An answer that is given instead of the right one. */
export interface Mishap {
  /** As "POST sandbox" or "POST sandbox/stop". */
  readonly route: string;
  /** 0: the connection breaks after the work is done. */
  readonly status: number;
  readonly message?: string;
  times: number;
}

export class FakeDaytona {
  readonly sandboxes = new Map<string, FakeSandbox>();
  /** What each keeps of a home, as a tar. */
  readonly snapshots = new Map<string, string>([["daytona-small", ""]]);
  readonly mishaps: Mishap[] = [];
  /** Answers deletions with success and keeps what was to be deleted. */
  isForgetful = false;
  pageLimit = 100;
  /** Or "linux-vm". */
  sandboxClass = "container";
  activityCount = 0;
  readonly #local: LocalUnderTest = openLocal();
  readonly #server: Server;
  readonly #work = new Set<Promise<void>>();

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) =>
        refuse(response, 500, String(error)),
      );
    });
    this.#server.on("upgrade", (request, socket, head) => {
      const [, , id = "", ...path] = new URL(request.url ?? "/", this.url).pathname.split("/");
      const sandbox = this.sandboxes.get(id);
      if (!isKeyRight(request) || sandbox?.state !== "started") return void socket.destroy();
      sandbox.toolbox.upgrade(path.join("/"), { request, socket, head });
    });
  }

  static async start(): Promise<FakeDaytona> {
    const fake = new FakeDaytona();
    await new Promise<void>((resolve) => fake.#server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#work);
    for (const { machine } of this.sandboxes.values()) await machine?.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#local.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const body: unknown = JSON.parse((await readBody(request)).toString() || "{}");
    if (!isKeyRight(request)) return refuse(response, 401, `Invalid credentials ${API_KEY}`);
    const [area, kind = "", id, verb] = url.pathname.split("/").slice(1);
    if (area === "toolbox") {
      const sandbox = this.sandboxes.get(kind);
      if (sandbox?.state !== "started" || sandbox.machine === undefined)
        return refuse(response, 400, "failed to get runner info");
      const path = url.pathname.split("/").slice(3).join("/");
      const said = await sandbox.toolbox.serve(`${request.method} ${path}`, body);
      return answer(response, said.status, said.body);
    }
    const route = `${request.method} ${kind}${verb === undefined ? "" : `/${verb}`}`;
    const mishap = this.mishaps.find((planned) => planned.route === route && planned.times > 0);
    if (mishap !== undefined) mishap.times -= 1;
    if (mishap !== undefined && mishap.status > 0)
      return refuse(response, mishap.status, mishap.message ?? "a mishap");
    if (mishap !== undefined) response.socket?.destroySoon();
    await this.#serveApi({ route, id, query: url.searchParams, body }, response);
  }

  async #serveApi(asked: Asked, response: ServerResponse): Promise<void> {
    const { route, id, query, body } = asked;
    if (route === "POST sandbox") return await this.#create(body as CreateBody, response);
    if (route === "GET sandbox" && id === undefined)
      return answer(response, 200, this.#list(query));
    if (route === "GET snapshots") {
      const isThere = this.snapshots.has(id ?? "");
      if (!isThere) return refuse(response, 404, `Snapshot ${id} not found`);
      return answer(response, 200, { id, name: id, state: "active" });
    }
    const sandbox = [...this.sandboxes.values()].find(
      (one) => one.id === id || (one.name === id && id !== ""),
    );
    if (sandbox === undefined)
      return refuse(response, 404, `Sandbox with ID or name ${id} not found`);
    if (route === "GET sandbox") return answer(response, 200, this.#describe(sandbox));
    if (route === "POST sandbox/start") return await this.#start(sandbox, response);
    if (route === "POST sandbox/stop") return this.#stop(sandbox, response);
    if (route === "DELETE sandbox") return this.#delete(sandbox, response);
    if (route === "POST sandbox/snapshot")
      return this.#snapshot(sandbox, (body as { name: string }).name, response);
    if (route !== "POST sandbox/last-activity") return refuse(response, 404, `no ${route}`);
    this.activityCount += 1;
    answer(response, 201, undefined);
  }

  async #create(body: CreateBody, response: ServerResponse): Promise<void> {
    const isSized = "cpu" in body || "memory" in body || "disk" in body;
    if (body.buildInfo === undefined && isSized)
      return refuse(response, 400, "Cannot specify Sandbox resources when using a snapshot");
    const snapshot = body.snapshot ?? "daytona-small";
    if (body.buildInfo === undefined && !this.snapshots.has(snapshot))
      return refuse(response, 400, `Snapshot ${snapshot} not found. Did you add it?`);
    if ([...this.sandboxes.values()].some(({ name }) => name === body.name))
      return refuse(response, 409, `Sandbox with name ${body.name} already exists`);
    const sandbox: FakeSandbox = {
      id: randomUUID(),
      body,
      createdAt: new Date().toISOString(),
      toolbox: new FakeToolbox(() => sandbox.machine),
      machine: undefined,
      name: body.name,
      state: body.buildInfo === undefined ? "creating" : "pending_build",
    };
    this.sandboxes.set(sandbox.id, sandbox);
    const making = this.#change(sandbox, "started", () => this.#make(sandbox));
    // A build is not waited for.
    if (body.buildInfo === undefined) await making.done;
    answer(response, 200, this.#describe(sandbox));
  }

  async #make(sandbox: FakeSandbox): Promise<void> {
    sandbox.machine = await this.#local.provider.create(await this.#local.makeSpec());
    const kept = this.snapshots.get(sandbox.body.snapshot ?? "") ?? "";
    if (kept === "") return;
    const argv = ["sh", "-c", "base64 -d | tar -xf -"];
    await runInSandbox(sandbox.machine, argv, { input: kept, cwd: HOME });
  }

  async #start(sandbox: FakeSandbox, response: ServerResponse): Promise<void> {
    if (sandbox.state === "started") return answer(response, 200, this.#describe(sandbox));
    if (sandbox.state !== "stopped")
      return refuse(response, 409, "Sandbox state change in progress");
    sandbox.state = "starting";
    await this.#change(sandbox, "started", async () => await sandbox.machine?.resume()).done;
    answer(response, 200, this.#describe(sandbox));
  }

  #stop(sandbox: FakeSandbox, response: ServerResponse): void {
    if (sandbox.state === "stopped")
      return refuse(response, 400, "Sandbox is not in a stoppable state");
    if (sandbox.state !== "started")
      return refuse(response, 409, "Sandbox state change in progress");
    sandbox.state = "stopping";
    this.#change(sandbox, "stopped", async () => await sandbox.machine?.stop());
    answer(response, 200, this.#describe(sandbox));
  }

  #delete(sandbox: FakeSandbox, response: ServerResponse): void {
    if (sandbox.state.endsWith("ing"))
      return refuse(response, 409, "Sandbox state change in progress");
    if (!this.isForgetful) {
      sandbox.state = "destroying";
      sandbox.name = `DESTROYED_${sandbox.name}_${Date.now()}`;
      this.#change(sandbox, "destroyed", async () => {
        await sandbox.machine?.destroy();
        this.sandboxes.delete(sandbox.id);
      });
    }
    answer(response, 200, this.#describe(sandbox));
  }

  #snapshot(sandbox: FakeSandbox, name: string, response: ServerResponse): void {
    const { state, machine } = sandbox;
    const isVm = this.sandboxClass === "linux-vm";
    if (machine === undefined || state !== (isVm ? "stopped" : "started"))
      return refuse(response, 400, `Sandbox must be ${isVm ? "stopped" : "started"}`);
    sandbox.state = "snapshotting";
    this.#change(sandbox, state, async () => {
      if (isVm) await machine.resume();
      const line = "tar -cf - . | base64 -w 0";
      const { stdout } = await runInSandbox(machine, ["sh", "-c", line], { cwd: HOME });
      this.snapshots.set(name, stdout);
      if (isVm) await machine.stop();
    });
    answer(response, 200, this.#describe(sandbox));
  }

  /** As the vendor does it: behind the answers. */
  #change(sandbox: FakeSandbox, state: string, act: () => Promise<unknown>): Change {
    const work = act().then(
      () => {
        sandbox.state = state;
      },
      (error: unknown) => {
        sandbox.state = "error";
        sandbox.errorReason = String(error);
      },
    );
    this.#work.add(work);
    return { done: work };
  }

  #list(query: URLSearchParams): unknown {
    const wanted = JSON.parse(query.get("labels") ?? "{}") as Record<string, string>;
    const from = Number(query.get("cursor") ?? "0");
    const limit = Math.min(Number(query.get("limit") ?? "100"), this.pageLimit);
    const found = [...this.sandboxes.values()].filter(({ body }) =>
      Object.entries(wanted).every(([name, value]) => body.labels[name] === value),
    );
    const items = found.slice(from, from + limit).map((sandbox) => this.#describe(sandbox));
    return { items, nextCursor: from + limit < found.length ? String(from + limit) : null };
  }

  #describe({ id, name, body, state, createdAt, errorReason }: FakeSandbox): unknown {
    const facts = { toolboxProxyUrl: `${this.url}/toolbox`, sandboxClass: this.sandboxClass };
    return { id, name, labels: body.labels, state, createdAt, errorReason, ...facts };
  }
}

/** Of local sandboxes. */
const HOME = "/home/user";

interface Change {
  readonly done: Promise<void>;
}

interface Asked {
  readonly route: string;
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

function isKeyRight(request: IncomingMessage): boolean {
  return request.headers.authorization === `Bearer ${API_KEY}`;
}

function refuse(response: ServerResponse, statusCode: number, message: string): void {
  const facts = { path: "/", timestamp: new Date().toISOString(), statusCode, error: "Error" };
  answer(response, statusCode, { ...facts, message });
}
