// The server of a home: takes connections, keeps the VMs they share, and knows when to leave.
import { timingSafeEqual } from "node:crypto";
import type { Server, Socket } from "node:net";
import type { SharedApprovals } from "../approvals/shared-approvals.ts";
import { ControlConnection } from "../control/control-connection.ts";
import { controlMethods, type ServerControls, type ServerStatus } from "../control/methods.ts";
import { type Hello, type LeaveReason, type Notice, parseHello } from "../greeting.ts";
import type { Home } from "../home.ts";
import { IdleWatch } from "../idle-watch.ts";
import { readFirstLine } from "../lines.ts";
import { findRecord, removeRecord, type ServerRecord } from "../server-record.ts";
import type { McpLink } from "./mcp-link.ts";
import type { ServerLog } from "./server-log.ts";
import type { SharedVms } from "./shared-vms.ts";

/** An MCP client as its shim introduces it. */
export interface ConnectingClient {
  /** Unique among the connections of this server. */
  readonly id: number;
  /** What it works in. */
  readonly project: string | undefined;
}

export interface ServerProcessOptions {
  readonly home: Home;
  readonly record: ServerRecord;
  readonly listener: Server;
  readonly idleMs: number;
  readonly log: ServerLog;
  readonly vms: SharedVms;
  readonly approvals: SharedApprovals;
  /** Serves MCP on a socket. Loads the SDK, so it is a promise. */
  readonly serveMcp: (socket: Socket, client: ConnectingClient) => Promise<McpLink>;
  /** Called when everything is closed. */
  readonly onLeft: (reason: LeaveReason) => void;
}

/** Who connects says so at once, or is something else. */
const helloLimitMs = 5000;
/** Destroying VMs kills their cells, which takes milliseconds; nothing may keep the process from leaving. */
const closeLimitMs = 5000;

/** One server. It leaves by itself: idle, stopped, or retired. */
export class ServerProcess implements ServerControls {
  readonly #options: ServerProcessOptions;
  readonly #mcp = new Set<McpLink>();
  readonly #control = new Set<ControlConnection>();
  readonly #shims = new Set<number>();
  readonly #startedAt = new Date().toISOString();
  readonly #idle: IdleWatch;
  #connections = 0;
  #opening = 0;
  #isRetiring = false;
  #leaving: LeaveReason | undefined;

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    this.#idle = new IdleWatch({
      idleMs: options.idleMs,
      isUsed: async () => this.#isConnected() || (await options.vms.isBusy()),
      onIdle: () => this.#leave("idle"),
      onLook: () => this.#checkRecord(),
      onError: (error) => options.log.error("cannot tell whether it is used", error),
    });
  }

  status(): ServerStatus {
    return {
      pid: process.pid,
      build: this.#options.record.build,
      node: process.version,
      startedAt: this.#startedAt,
      mcpConnections: this.#mcp.size,
      shims: [...this.#shims],
      controlConnections: this.#control.size,
      isRetiring: this.#isRetiring,
      vms: this.#options.vms.names(),
      ...(this.#leaving === undefined ? {} : { leaving: this.#leaving }),
    };
  }

  stop(): void {
    // The answer to the call that asks for it goes out first.
    setImmediate(() => this.#leave("stopped"));
  }

  retire(): void {
    this.#isRetiring = true;
    this.#options.log.info("retires: it leaves with its last client");
  }

  /** Leaves after an error nobody caught: what is left of the state cannot be trusted. */
  fail(error: unknown): void {
    this.#options.log.error("fails", error);
    this.#leave("failed");
  }

  /** Takes a new connection. */
  accept(socket: Socket): void {
    // A socket without a listener for errors would end the process; its close says enough.
    socket.on("error", () => socket.destroy());
    this.#opening += 1;
    this.#greet(socket)
      .catch((error: unknown) => {
        this.#options.log.error("refuses a connection", error);
        socket.destroy();
      })
      .finally(() => {
        this.#opening -= 1;
        this.#leaveIfRetired();
      })
      .catch((error: unknown) => this.fail(error));
  }

  async #greet(socket: Socket): Promise<void> {
    const line = await readFirstLine(socket, helloLimitMs).catch(() => undefined);
    if (line === undefined) {
      socket.destroy();
      return;
    }
    const hello = parseHello(line);
    const refusal = this.#refusal(hello);
    if (this.#leaving !== undefined)
      return endWith(socket, { "agentos-mcp": "leaving", reason: this.#leaving });
    if (hello === undefined || refusal !== undefined) {
      return endWith(socket, {
        "agentos-mcp": "refused",
        reason: refusal ?? "it does not say who it is",
      });
    }
    const notice = this.#options.vms.configurationNotice();
    writeNotice(socket, {
      "agentos-mcp": "welcome",
      pid: process.pid,
      ...(notice === undefined ? {} : { notice }),
    });
    this.#connections += 1;
    const facts = { role: hello.role, client: hello.pid, connection: this.#connections };
    this.#options.log.debug("connected", facts);
    socket.once("close", () => this.#options.log.debug("disconnected", facts));
    if (hello.role === "control") this.#openControl(socket);
    else {
      this.#shims.add(hello.pid);
      socket.once("close", () => this.#shims.delete(hello.pid));
      await this.#openMcp(socket, { id: this.#connections, project: hello.project });
    }
  }

  #refusal(hello: Hello | undefined): string | undefined {
    const { build, key } = this.#options.record;
    if (hello === undefined) return "it does not say who it is";
    if (hello.build !== build) return `it is of build ${hello.build}, this server of ${build}`;
    const isKeyRight =
      hello.key.length === key.length && timingSafeEqual(Buffer.from(hello.key), Buffer.from(key));
    return isKeyRight ? undefined : "it does not know the key";
  }

  #openControl(socket: Socket): void {
    const { vms, approvals, log } = this.#options;
    const connection = new ControlConnection(socket, {
      methods: controlMethods,
      shared: { server: this, vms: () => vms.get(), approvals: () => approvals.get() },
      logBug: (error) => log.error("a control call fails", error),
    });
    this.#track(this.#control, connection);
  }

  async #openMcp(socket: Socket, client: ConnectingClient): Promise<void> {
    const link = await this.#options.serveMcp(socket, client);
    this.#track(this.#mcp, link);
    if (this.#leaving !== undefined) await link.leave(this.#leaving);
  }

  #track<Connection extends { readonly closed: Promise<void> }>(
    open: Set<Connection>,
    connection: Connection,
  ): void {
    open.add(connection);
    connection.closed
      .then(() => {
        open.delete(connection);
        this.#leaveIfRetired();
      })
      .catch((error: unknown) => this.fail(error));
  }

  #isConnected(): boolean {
    return this.#mcp.size + this.#control.size + this.#opening > 0;
  }

  #leaveIfRetired(): void {
    if (this.#isRetiring && !this.#isConnected()) this.#leave("retired");
  }

  /** A server that cannot be found any more, because its home was removed, serves who is here and leaves. */
  #checkRecord(): void {
    const { home, record } = this.#options;
    if (this.#isRetiring || isPublished(home, record)) return;
    this.retire();
    this.#leaveIfRetired();
  }

  #leave(reason: LeaveReason): void {
    if (this.#leaving !== undefined) return;
    this.#leaving = reason;
    this.#options.log.info("leaves", { reason });
    const limit = setTimeout(() => this.#options.onLeft(reason), closeLimitMs);
    this.#closeAll(reason)
      .catch((error: unknown) => this.#options.log.error("does not close cleanly", error))
      .then(() => {
        clearTimeout(limit);
        this.#options.onLeft(reason);
      })
      .catch(() => process.exit(1));
  }

  /** Nobody finds us, nobody connects, everybody is told, and the VMs go. In this order. */
  async #closeAll(reason: LeaveReason): Promise<void> {
    this.#idle.stop();
    const { home, record, listener, vms } = this.#options;
    removeRecord(home, record);
    listener.close();
    await Promise.allSettled([
      ...[...this.#mcp].map((link) => link.leave(reason)),
      ...[...this.#control].map((connection) => connection.close()),
    ]);
    await vms.close();
  }
}

function isPublished(home: Home, record: ServerRecord): boolean {
  try {
    return findRecord(home, record.build)?.key === record.key;
  } catch {
    return false;
  }
}

function writeNotice(socket: Socket, notice: Notice): void {
  socket.write(`${JSON.stringify(notice)}\n`);
}

function endWith(socket: Socket, notice: Notice): void {
  socket.end(`${JSON.stringify(notice)}\n`);
}
