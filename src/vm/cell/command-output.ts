import { encodeText, type OpenFile, PipeToHost } from "../../kernel/index.ts";
import type { StreamSender } from "../../streams/index.ts";
import { type CommandStatus, execTags } from "../wire/messages.ts";

export interface CommandOutputParts {
  readonly nextIno: () => number;
  readonly nowMs: number;
  readonly capacityBytes: number;
  /** Calls back when the kernel's turn ends. */
  readonly later: (flush: () => void) => void;
}

/** Bytes of one pipe that were written in a row, or a piece of our own between them. */
type Run = { readonly tag: number; bytes: number } | { readonly tag: number; piece: Uint8Array };

/**
 * The stdout and stderr of a command that the host started: two pipes, sent on the command's stream in
 * the order in which they were written to, across both.
 *
 * Small writes are gathered until the kernel's turn ends. A guest that writes faster than the
 * server takes waits at its pipe.
 */
export class CommandOutput {
  readonly #outgoing: StreamSender;
  readonly #later: (flush: () => void) => void;
  readonly #stdout: PipeToHost;
  readonly #stderr: PipeToHost;
  /** What is in the pipes, in the order of the writes. */
  readonly #runs: Run[] = [];
  #openPipes = 2;
  #isFlushPlanned = false;
  #hasStatus = false;

  constructor(outgoing: StreamSender, parts: CommandOutputParts) {
    this.#outgoing = outgoing;
    this.#later = parts.later;
    const makePipe = (tag: number): PipeToHost =>
      new PipeToHost(
        { ino: parts.nextIno(), nowMs: parts.nowMs, capacityBytes: parts.capacityBytes },
        { written: (bytes) => this.#written(tag, bytes), closed: () => this.#closed() },
      );
    this.#stdout = makePipe(execTags.stdout);
    this.#stderr = makePipe(execTags.stderr);
    outgoing.onRoom = () => this.flush();
  }

  /** stdout and stderr, as the command has them. */
  get files(): OpenFile[] {
    return [this.#stdout.writeEnd, this.#stderr.writeEnd];
  }

  /** The first process has ended: said behind what was written until now. */
  sendStatus(status: CommandStatus): void {
    this.#hasStatus = true;
    this.#runs.push({ tag: execTags.status, piece: encodeText(JSON.stringify(status)) });
    this.flush();
  }

  #written(tag: number, bytes: number): void {
    const last = this.#runs.at(-1);
    if (last?.tag === tag && "bytes" in last) last.bytes += bytes;
    else this.#runs.push({ tag, bytes });
    if (!this.#pipeOf(tag).hasRoom) this.flush();
    else this.#plan();
  }

  #plan(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    this.#later(() => this.flush());
  }

  /** Background processes may still write after the command's end: the stream ends with the last of them. */
  #closed(): void {
    this.#openPipes -= 1;
    this.#plan();
  }

  /** Sends what was written until now, as far as there is credit. */
  flush(): void {
    this.#isFlushPlanned = false;
    if (this.#outgoing.isStopped) return this.#giveUp();
    for (let run = this.#runs[0]; run !== undefined; run = this.#runs[0]) {
      if (!this.#send(run)) return;
      this.#runs.shift();
    }
    if (this.#openPipes === 0 && this.#hasStatus) this.#outgoing.end();
  }

  /** Whether all of it is sent. */
  #send(run: Run): boolean {
    if ("piece" in run) {
      if (this.#outgoing.room < run.piece.length) return false;
      if (this.#openPipes === 0 && this.#runs.length === 1)
        this.#outgoing.sendLast(run.piece, run.tag);
      else this.#outgoing.send(run.piece, run.tag, true);
      return true;
    }
    const pipe = this.#pipeOf(run.tag);
    while (run.bytes > 0) {
      const room = this.#outgoing.room;
      if (room === 0) return false;
      const piece = new Uint8Array(Math.min(run.bytes, room));
      // Counted before it is taken: room in the pipe lets a writer go on, which adds to a run.
      run.bytes -= piece.length;
      const count = pipe.take(piece);
      if (count === 0) return true;
      this.#outgoing.send(count === piece.length ? piece : piece.subarray(0, count), run.tag, true);
    }
    return true;
  }

  /** The server takes nothing more: who writes gets EPIPE. */
  #giveUp(): void {
    this.#runs.length = 0;
    this.#stdout.end();
    this.#stderr.end();
  }

  #pipeOf(tag: number): PipeToHost {
    return tag === execTags.stderr ? this.#stderr : this.#stdout;
  }
}
