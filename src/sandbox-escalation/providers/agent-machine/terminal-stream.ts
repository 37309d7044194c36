// The agent behind a terminal: many vendors carry bytes unchanged only to and from terminals. The terminal is
// made raw first; what a shell says before is noise, and ends where the agent says that it is ready.
import { Duplex } from "node:stream";

/** The vendor's end of a terminal. */
export interface TerminalEnd {
  /** Resolves when the vendor has taken them. */
  send(bytes: Uint8Array): Promise<void>;
  /** Ends the process behind it; never fails. */
  close(): void;
}

/**
 * Typed into a shell, it becomes the agent. The path is ours and needs no quotes. After so many seconds without
 * a word from us it ends, where the terminal's own end does not tell it.
 */
export function becomeAgentLine(agentPath: string, patienceSeconds?: number): string {
  const patience = patienceSeconds === undefined ? "" : ` ${patienceSeconds}`;
  return `stty raw -echo && chmod 700 ${agentPath} && exec ${agentPath} serve - - - pipes${patience}\n`;
}

export class TerminalStream extends Duplex {
  #end: TerminalEnd | undefined;
  /** The last bytes of the noise; undefined once the agent is there. */
  #noise: Buffer | undefined = Buffer.alloc(0);
  #noiseBytes = 0;

  constructor() {
    super({ allowHalfOpen: false });
  }

  /** Before anything is written. A stream that was destroyed meanwhile closes it. */
  connect(end: TerminalEnd): void {
    this.#end = end;
    if (this.destroyed) end.close();
  }

  /** What the terminal said. */
  hear(bytes: Uint8Array): void {
    if (this.destroyed) return;
    if (this.#noise === undefined) {
      this.push(bytes);
      return;
    }
    const all = Buffer.concat([this.#noise, bytes]);
    const at = all.indexOf(READY_FRAME);
    this.#noiseBytes += bytes.length;
    if (at >= 0) {
      this.#noise = undefined;
      this.push(all.subarray(at));
    } else if (this.#noiseBytes > NOISE_LIMIT_BYTES) {
      this.destroy();
    } else {
      this.#noise = all.subarray(-READY_FRAME.length + 1);
    }
  }

  override _read(): void {
    // What comes is bounded by what the agent was granted.
  }

  override _write(
    chunk: Uint8Array,
    _encoding: string,
    settle: (error?: Error | null) => void,
  ): void {
    this.#send(chunk, settle);
  }

  override _writev(
    chunks: readonly { readonly chunk: Uint8Array }[],
    settle: (error?: Error | null) => void,
  ): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), settle);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#end?.close();
    done(error);
  }

  #send(bytes: Uint8Array, settle: (error?: Error | null) => void): void {
    const sent = this.#end?.send(bytes) ?? Promise.reject(new Error("There is no terminal."));
    sent.then(
      () => settle(),
      (error: unknown) => settle(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

/** A frame without payload of the kind "ready", see agent-frames.ts. No text of a shell has a NUL. */
const READY_FRAME = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0]);
/** More than any greeting. */
const NOISE_LIMIT_BYTES = 1024 * 1024;
