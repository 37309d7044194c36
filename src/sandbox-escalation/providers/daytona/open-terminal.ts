// The agent's bytes by a terminal of the toolbox's: a WebSocket whose binary messages are the terminal's, whose text
// messages are about it; see Daytona's apps/daemon/pkg/toolbox/process/pty.
import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { z } from "zod";
import { parseBoundedJson } from "../../../toolkit-cli/index.ts";
import { SandboxError } from "../../provider.ts";
import { becomeAgentLine, TerminalStream } from "../agent-machine/terminal-stream.ts";
import type { AgentPlace, Toolbox } from "./set-up-agent.ts";

export interface TerminalPlace {
  /** The toolbox's address. */
  readonly url: string;
  readonly agent: AgentPlace;
  /** How long the agent waits for a word from us. */
  readonly patienceSeconds: number;
}

/** SandboxError "failed", or the signal's reason: then the terminal is gone again. */
export async function openTerminal(toolbox: Toolbox, place: TerminalPlace): Promise<Duplex> {
  const { client, processes, signal } = toolbox;
  const id = `agentos-${randomBytes(8).toString("hex")}`;
  const request = { id, cwd: place.agent.workspace, cols: 80, rows: 24 };
  await client.ask((options) => processes.createPtySession(request, options), {
    signal,
    isRepeatable: false,
  });
  const stream = new TerminalStream();
  // It may end before anybody else listens.
  stream.on("error", () => stream.destroy());
  const socket = client.openSocket(`${place.url}/process/pty/${id}/connect`);
  const close = () => {
    socket.terminate();
    // Where it does not arrive: the agent ends when it has not heard from us.
    client
      .ask((options) => processes.deletePtySession(id, options), { isRepeatable: false })
      .catch(() => undefined);
  };
  try {
    await connect(socket, stream, signal);
  } catch (error) {
    close();
    throw signal?.aborted === true ? signal.reason : error;
  }
  watchPulse(socket);
  stream.connect({ send: (bytes) => send(socket, bytes), close });
  stream.write(becomeAgentLine(place.agent.agentPath, place.patienceSeconds));
  return stream;
}

/** Settles when the toolbox says that the terminal is ours. */
function connect(
  socket: WebSocket,
  stream: TerminalStream,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      settle();
      const failure = new SandboxError("gone", `Daytona's terminal ended: ${plain(why)}`);
      reject(failure);
      stream.destroy(failure);
    };
    const abort = () => fail("it was aborted");
    const timer = setTimeout(() => fail("it did not begin"), CONNECT_LIMIT_MS);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
    socket.on("message", (data, isBinary) => {
      if (isBinary) return stream.hear(bytesOf(data));
      const told = readControl(Buffer.from(bytesOf(data)).toString());
      if (told?.status === "connected") {
        settle();
        resolve();
      } else if (told?.status === "error") fail(told.error ?? "no reason is told");
    });
    socket.on("error", (error) => fail(error.message));
    socket.on("close", (code, reason) => fail(`${code} ${reason.toString()}`));
  });
}

const control = z.object({
  type: z.literal("control"),
  status: z.string(),
  error: z.string().optional(),
});

function readControl(text: string): z.infer<typeof control> | undefined {
  try {
    return control.parse(parseBoundedJson(text));
  } catch {
    // Words that are not about the terminal say nothing to us.
    return undefined;
  }
}

/** A connection that answers no ping is gone, whatever the network says. */
function watchPulse(socket: WebSocket): void {
  let isAnswered = true;
  socket.on("pong", () => {
    isAnswered = true;
  });
  const timer = setInterval(() => {
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  }, PING_MS);
  timer.unref();
  socket.on("close", () => clearInterval(timer));
}

/** In parts that the toolbox takes; it closes the connection on longer ones. */
async function send(socket: WebSocket, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const part = bytes.subarray(at, at + PART_BYTES);
    await new Promise<void>((resolve, reject) =>
      socket.send(part, (error) => (error ? reject(error) : resolve())),
    );
  }
}

function bytesOf(data: WebSocket.RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

function plain(words: string): string {
  return words.replace(/[^\x20-\x7e]+/g, " ").slice(0, 200);
}

const CONNECT_LIMIT_MS = 30_000;
const PING_MS = 20_000;
/** Half of what the toolbox takes at once (readLimit). */
const PART_BYTES = 32_768;
