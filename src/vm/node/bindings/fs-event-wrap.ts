// internalBinding('fs_event_wrap'): fs.watch on the kernel's inotify.
import { CallError, call } from "../channel.ts";
import { uvNumber, uvNumberOf } from "../errors.ts";
import { cancel, request, setRef } from "../requests.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { pathOf } from "./fs/check-arguments.ts";
import { encodeName, textOf } from "./fs/encode-name.ts";
import type { Any } from "./fs/operation.ts";
import { Handle } from "./stream-wrap.ts";

type Event = readonly [watch: number, isRename: boolean, name: string | Uint8Array];

/** All that this thread watches: on one inotify instance, as libuv's loops have it. Open while anything is watched. */
class Watches {
  #fd = -1;
  #request: number | undefined;
  readonly #handles = new Map<number, Set<FSEvent>>();
  /** Those of the handles that keep the process alive. */
  readonly #refs = new Set<FSEvent>();

  /** The number of the watch. Throws CallError. */
  add(handle: FSEvent, path: Any): number {
    if (this.#fd < 0) this.#fd = call("watchOpen");
    try {
      const watch: number = call("watchAdd", this.#fd, path);
      const others = this.#handles.get(watch);
      if (others === undefined) this.#handles.set(watch, new Set([handle]));
      else others.add(handle);
      return watch;
    } finally {
      if (this.#handles.size === 0) this.#end();
    }
  }

  remove(handle: FSEvent, watch: number): void {
    const handles = this.#handles.get(watch);
    if (handles?.delete(handle) !== true) return;
    this.setRef(handle, false);
    if (handles.size > 0) return;
    this.#handles.delete(watch);
    if (this.#handles.size === 0) this.#end();
    // A watch ends with its file, too.
    else tryCall("watchRemove", this.#fd, watch);
  }

  setRef(handle: FSEvent, isRef: boolean): void {
    if (isRef) this.#refs.add(handle);
    else this.#refs.delete(handle);
    if (this.#request !== undefined) setRef(this.#request, this.#refs.size > 0);
    else if (this.#fd >= 0) this.#next();
  }

  #next(): void {
    this.#request = request(
      "watchNext",
      [this.#fd],
      (error, events) => this.#take(error, events),
      this.#refs.size > 0,
    );
  }

  #take(error: CallError | undefined, events: readonly Event[]): void {
    this.#request = undefined;
    if (error !== undefined) {
      for (const handles of [...this.#handles.values()])
        for (const handle of [...handles]) handle.fail(error);
      return;
    }
    for (const [watch, isRename, name] of events)
      for (const handle of [...(this.#handles.get(watch) ?? [])]) handle.tell(isRename, name);
    if (this.#fd >= 0 && this.#request === undefined) this.#next();
  }

  #end(): void {
    if (this.#request !== undefined) cancel(this.#request);
    this.#request = undefined;
    tryCall("close", this.#fd);
    this.#fd = -1;
  }
}

const watches = new Watches();

class FSEvent extends Handle {
  declare onchange?: (status: number, event: string, name: unknown) => void;
  #watch = -1;
  #encoding: unknown;
  /** What events of the watched file itself are called. */
  #name = "";

  constructor() {
    super("FSEVENTWRAP");
  }

  get initialized(): boolean {
    return this.#watch >= 0;
  }

  start(path: Any, isPersistent: Any, _isRecursive: Any, encoding: Any): number {
    const text = typeof path === "string" ? path : textOf(path);
    this.#name = text.replace(/\/+$/, "").replace(/^.*\//s, "");
    this.#encoding = encoding;
    try {
      this.#watch = watches.add(this, pathOf(path));
    } catch (error) {
      return uvNumberOf(error);
    }
    if (isPersistent !== true) this.unref();
    else watches.setRef(this, this.hasRef());
    return 0;
  }

  tell(isRename: boolean, name: string | Uint8Array): void {
    if (this.isClosed) return;
    const shown = encodeName(name === "" ? this.#name : name, this.#encoding);
    AsyncWrap.within(this, () => this.onchange?.(0, isRename ? "rename" : "change", shown));
  }

  fail({ code }: CallError): void {
    if (this.isClosed) return;
    AsyncWrap.within(this, () => this.onchange?.(uvNumber(code), "", null));
  }

  protected override refChanged(isRef: boolean): void {
    if (this.#watch >= 0) watches.setRef(this, isRef);
  }

  protected override release(): void {
    const watch = this.#watch;
    this.#watch = -1;
    if (watch >= 0) watches.remove(this, watch);
  }
}

/** What fails because it is over already is done. */
function tryCall(name: string, ...args: number[]): void {
  try {
    call(name, ...args);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

export const fsEventWrap = (): Binding => ({ ...staticsOf("fs_event_wrap"), FSEvent });
