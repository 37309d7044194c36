// What libuv calls a handle: something that is open until it is closed, and may keep the process alive.
import { request } from "../requests.ts";
import { AsyncWrap } from "./async-wrap.ts";

const open = new Set<Handle>();

/** Those that are not closed, oldest first. */
export function openHandles(): readonly Handle[] {
  return [...open];
}

const resourceNames: Readonly<Record<string, string>> = {
  FSEVENTWRAP: "FSEventWrap",
  PIPESERVERWRAP: "PipeServerWrap",
  PIPEWRAP: "PipeWrap",
  PROCESSWRAP: "ProcessWrap",
  SIGNALWRAP: "SignalWrap",
  STATWATCHER: "StatWatcher",
  TCPSERVERWRAP: "TCPServerWrap",
  TCPWRAP: "TCPSocketWrap",
  TTYWRAP: "TTYWrap",
  UDPWRAP: "UDPWrap",
};

export class Handle extends AsyncWrap {
  #isRef = true;
  readonly #provider: string;
  isClosed = false;

  /** `isListed`: libuv knows it, and so does whoever lists the handles of the process. */
  constructor(provider: string, isListed = true) {
    super(provider);
    this.#provider = provider;
    if (isListed) open.add(this);
  }

  /** As process.getActiveResourcesInfo() shows it. */
  get resourceName(): string {
    return resourceNames[this.#provider] ?? this.#provider;
  }

  ref(): void {
    this.#isRef = true;
    if (!this.isClosed) this.refChanged(true);
  }

  unref(): void {
    this.#isRef = false;
    if (!this.isClosed) this.refChanged(false);
  }

  hasRef(): boolean {
    return this.#isRef && !this.isClosed;
  }

  /** For those with a call under way. */
  protected refChanged(_isRef: boolean): void {}

  close(callback?: () => void): void {
    if (this.isClosed) return;
    this.isClosed = true;
    open.delete(this);
    this.release();
    soon(() => {
      AsyncWrap.destroyed(this);
      if (callback !== undefined) AsyncWrap.within(this, () => callback.call(this));
    });
  }

  /** Gives back what the handle holds. */
  protected release(): void {}
}

/** Runs from the event loop, in its next turn. */
export function soon(run: () => void): void {
  request("nothing", [], run);
}
