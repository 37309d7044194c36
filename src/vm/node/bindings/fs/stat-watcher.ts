// fs.watchFile: a file whose state the kernel looks at again and again.
import type { CallError } from "../../channel.ts";
import { uvNumber } from "../../errors.ts";
import { cancel, request, setRef } from "../../requests.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { Handle } from "../stream-wrap.ts";
import { fillStats, STAT_FIELDS } from "./stats.ts";

export class StatWatcher extends Handle {
  declare onchange?: (status: number, stats: unknown) => void;
  readonly #isBigint: boolean;
  #request: number | undefined;
  /** As uv_fs_poll: nothing seen yet, an errno, or "" for a file that is there. */
  #seen: string | undefined;
  #state: Uint8Array = new Uint8Array(STAT_FIELDS * 8);

  constructor(isBigint?: boolean) {
    super("STATWATCHER");
    this.#isBigint = isBigint === true;
  }

  start(path: string, intervalMs: number): number | undefined {
    this.#next(path, intervalMs);
    return undefined;
  }

  #next(path: string, intervalMs: number): void {
    const args = [path, intervalMs, this.#state, this.#seen ?? null];
    const done = (error: CallError | undefined, value: [string, Uint8Array]): void => {
      this.#request = undefined;
      if (this.isClosed) return;
      if (error === undefined) this.#saw(value[0], value[1]);
      if (!this.isClosed) this.#next(path, intervalMs);
    };
    this.#request = request("watchStat", args, done, this.hasRef());
  }

  #saw(errno: string, state: Uint8Array): void {
    const isFirst = this.#seen === undefined;
    const before = this.#state;
    this.#seen = errno;
    this.#state = state;
    if (isFirst && errno === "") return;
    const stats = fillStats(state, this.#isBigint);
    fillStats(before, this.#isBigint, STAT_FIELDS);
    const status = errno === "" ? 0 : uvNumber(errno);
    AsyncWrap.within(this, () => this.onchange?.(status, stats));
  }

  protected override refChanged(isRef: boolean): void {
    if (this.#request !== undefined) setRef(this.#request, isRef);
  }

  protected override release(): void {
    if (this.#request !== undefined) cancel(this.#request);
    this.#request = undefined;
  }
}
