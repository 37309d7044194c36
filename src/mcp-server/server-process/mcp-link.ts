// One client's MCP connection inside the server.
import type { Socket } from "node:net";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ClientProject } from "../clients/client-project.ts";
import type { OwnVms } from "../clients/own-vms.ts";
import { VmNotices } from "../clients/vm-notices.ts";
import { type LastDirectories, WorkingDirectories } from "../clients/working-directories.ts";
import type { LeaveReason, Notice } from "../greeting.ts";
import { OutputCursors } from "../presentation/output-cursors.ts";
import { createMcpServer, type McpServerContext } from "../server.ts";
import { SocketTransport } from "../transports/socket-transport.ts";

export interface McpLinkOptions extends Omit<McpServerContext, "connection"> {
  readonly id: number;
  /** Shared by all connections. */
  readonly lastDirectories: LastDirectories;
  readonly ownVms: OwnVms;
  /** What to say of a configuration that is not the one the server has read. */
  readonly configurationNotice: () => string | undefined;
  /** What the client's shim says it works in. */
  readonly project: string | undefined;
  /** See SocketTransportOptions. */
  readonly serverRun: string;
  readonly onFirstSend: () => void;
}

/** Serves MCP of both eras on a socket, from now until the client leaves or `leave` is called. */
export class McpLink {
  /** Resolves when the connection is over and the signals of its requests are aborted. */
  readonly closed: Promise<void>;

  readonly #socket: Socket;
  readonly #close: () => Promise<void>;

  constructor(socket: Socket, options: McpLinkOptions) {
    const abort = new AbortController();
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        abort.abort();
        resolve();
      });
    });
    const connection = {
      id: options.id,
      signal: abort.signal,
      outputCursors: new OutputCursors(),
      project: new ClientProject(options.project),
      notices: new VmNotices(options.configurationNotice),
      directories: new WorkingDirectories(options.lastDirectories),
      ownVms: options.ownVms,
    };
    const transport = new SocketTransport(socket, options);
    const create = async (): Promise<McpServer> => {
      await options.directTools.ready();
      return createMcpServer({ ...options, connection });
    };
    const handle = serveStdio(create, { transport, onerror: options.logBug });
    this.#close = () => handle.close();
  }

  /** Tells the client's shim why, and closes. */
  async leave(reason: LeaveReason): Promise<void> {
    const notice: Notice = { "agentos-mcp": "leaving", reason };
    this.#socket.write(`${JSON.stringify(notice)}\n`);
    await this.#close();
    this.#socket.end(() => this.#socket.destroy());
    await this.closed;
  }
}
