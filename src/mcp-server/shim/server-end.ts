// The shim's connection to one server: whole lines both ways, and the notice a server leaves with.
import type { Socket } from "node:net";
import { Drained } from "../drained.ts";
import { type LeaveReason, noticePrefix, parseNotice } from "../greeting.ts";
import { joinLine, type Line, LineSplitter, maxLineBytes, writeLine } from "../lines.ts";

export interface ServerEndOptions {
  /** A line of MCP. */
  readonly onLine: (line: Line) => void;
  /** Called once when the connection is over, with the reason of a server that left on purpose. */
  readonly onGone: (reason: LeaveReason | undefined) => void;
}

/** One welcomed connection. Owns the socket. */
export class ServerEnd {
  readonly #socket: Socket;
  readonly #drained: Drained;
  #isGone = false;

  constructor(socket: Socket, options: ServerEndOptions) {
    this.#socket = socket;
    this.#drained = new Drained(socket);
    // No server of ours says that much: this one is out of its mind.
    const lines = new LineSplitter(maxLineBytes, () => socket.destroy());
    let reason: LeaveReason | undefined;
    socket.on("data", (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        if (!isNotice(line)) {
          options.onLine(line);
          continue;
        }
        const notice = parseNotice(joinLine(line).toString("utf8"));
        if (notice?.["agentos-mcp"] === "leaving") reason = notice.reason;
      }
    });
    socket.once("close", () => {
      this.#isGone = true;
      options.onGone(reason);
    });
    socket.resume();
  }

  /** Writes a line; resolves when the next may be written, or when there is nobody to write to. */
  async send(line: Line): Promise<void> {
    if (this.#isGone) return;
    if (!writeLine(this.#socket, line)) await this.#drained.wait();
  }

  /** Stops reading while the client does not. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends the connection at once. */
  close(): void {
    this.#socket.destroy();
  }
}

function isNotice(line: Line): boolean {
  const [first = noticePrefix] = line;
  const start = first.length < noticePrefix.length ? joinLine(line) : first;
  return start.subarray(0, noticePrefix.length).equals(noticePrefix);
}
