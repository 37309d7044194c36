import { call } from "../channel.ts";
import { uvNumber, uvNumberOf } from "../errors.ts";
import { request, setRef } from "../requests.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { childWish } from "./child-wish.ts";
import { Handle } from "./handle.ts";
import type { StreamHandle } from "./stream-wrap.ts";

const values = staticsOf("process_wrap");

/** A child process. */
class Process extends Handle {
  pid: number | undefined;
  onexit?: (code: number, signal: string) => void;
  #waiting: number | undefined;

  constructor() {
    super("PROCESSWRAP");
  }

  /** Its arguments are those of ProcessWrap::Spawn; 0, or libuv's number of an errno. */
  spawn(...args: unknown[]): number {
    const [file, argv, cwd, envPairs, stdios, flags, uid, gid] = args;
    const stdio = stdios as { type: string; handle?: StreamHandle }[];
    const isDetached = (Number(flags) & values["constants"].kProcessFlagDetached) !== 0;
    const wish = childWish({ file, args: argv, cwd, envPairs, stdio, isDetached, uid, gid });
    let started: { pid?: number; failure?: string; pipes: [number, number][] };
    try {
      started = call("spawn", wish);
    } catch (error) {
      return uvNumberOf(error);
    }
    for (const [fd, own] of started.pipes) {
      const { handle } = stdio[fd] ?? {};
      if (handle !== undefined) handle.fd = own;
    }
    if (started.pid === undefined) return uvNumber(started.failure ?? "EIO");
    this.pid = started.pid;
    this.#wait(started.pid);
    return 0;
  }

  #wait(pid: number): void {
    this.#waiting = request(
      "waitChild",
      [pid],
      (error, status) => {
        const [code, signal] = error === undefined ? status : [0, ""];
        this.#afterStreams(2, () => {
          this.#waiting = undefined;
          AsyncWrap.within(this, () => this.onexit?.(code, signal));
        });
      },
      this.hasRef(),
    );
  }

  /** As in libuv, what the child wrote and closed before its end is heard of first. */
  #afterStreams(turns: number, run: () => void): void {
    this.#waiting = request(
      "nothing",
      [],
      () => (turns > 1 ? this.#afterStreams(turns - 1, run) : run()),
      this.hasRef(),
    );
  }

  kill(signal: number): number {
    if (this.pid === undefined || this.#waiting === undefined) return uvNumber("ESRCH");
    try {
      call("kill", this.pid, signal);
      return 0;
    } catch (error) {
      return uvNumberOf(error);
    }
  }

  protected override refChanged(isRef: boolean): void {
    if (this.#waiting !== undefined) setRef(this.#waiting, isRef);
  }

  /** The kernel goes on waiting, so that the child does not stay a zombie; nobody here does. */
  protected override release(): void {
    if (this.#waiting !== undefined) setRef(this.#waiting, false);
    this.onexit = undefined as never;
  }
}

export const processWrap = (): Binding => ({ ...values, Process });
