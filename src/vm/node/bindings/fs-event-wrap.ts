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

class FSEvent extends Handle {
  declare onchange?: (status: number, event: string, name: unknown) => void;
  #fd = -1;
  #request: number | undefined;
  #encoding: unknown;
  /** What events of the watched file itself are called. */
  #name = "";

  constructor() {
    super("FSEVENTWRAP");
  }

  get initialized(): boolean {
    return this.#fd >= 0;
  }

  start(path: Any, isPersistent: Any, _isRecursive: Any, encoding: Any): number {
    const text = typeof path === "string" ? path : textOf(path);
    this.#name = text.replace(/\/+$/, "").replace(/^.*\//s, "");
    this.#encoding = encoding;
    try {
      this.#fd = call("watch", pathOf(path));
    } catch (error) {
      return uvNumberOf(error);
    }
    if (isPersistent !== true) this.unref();
    this.#next();
    return 0;
  }

  #next(): void {
    this.#request = request(
      "watchNext",
      [this.#fd],
      (error, events) => this.#take(error, events),
      this.hasRef(),
    );
  }

  #take(error: CallError | undefined, events: [boolean, string | Uint8Array][]): void {
    this.#request = undefined;
    if (error !== undefined) {
      AsyncWrap.within(this, () => this.onchange?.(uvNumber(error.code), "", null));
      return;
    }
    for (const [isRename, name] of events) {
      if (this.isClosed) return;
      const shown = encodeName(name === "" ? this.#name : name, this.#encoding);
      AsyncWrap.within(this, () => this.onchange?.(0, isRename ? "rename" : "change", shown));
    }
    if (!this.isClosed) this.#next();
  }

  protected override refChanged(isRef: boolean): void {
    if (this.#request !== undefined) setRef(this.#request, isRef);
  }

  protected override release(): void {
    if (this.#request !== undefined) cancel(this.#request);
    const fd = this.#fd;
    this.#fd = -1;
    if (fd < 0) return;
    try {
      call("close", fd);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }
}

export const fsEventWrap = (): Binding => ({ ...staticsOf("fs_event_wrap"), FSEvent });
