// The parsers of one HTTP server: which wait for a request, which have one, and which take too long.
import { monotonicMs } from "../../loop/event-loop.ts";

/** What the list knows of a parser. */
export interface Listed {
  /** When its message began; 0 while it has none. */
  readonly messageStart: number;
  readonly hasReceived: boolean;
  readonly hasHeaders: boolean;
  /** The parser itself. */
  readonly parser: object;
}

export class ConnectionsList {
  readonly #all = new Set<Listed>();
  readonly #active = new Set<Listed>();

  static add(list: ConnectionsList | undefined, one: Listed, isActive: boolean): void {
    if (list === undefined) return;
    list.#all.add(one);
    if (isActive) list.#active.add(one);
  }

  static remove(list: ConnectionsList | undefined, one: Listed): void {
    if (list === undefined) return;
    list.#all.delete(one);
    list.#active.delete(one);
  }

  all(): object[] {
    return parsersOf(this.#all);
  }

  idle(): object[] {
    return parsersOf([...this.#all].filter((one) => one.messageStart === 0 || !one.hasReceived));
  }

  active(): object[] {
    return parsersOf(this.#active);
  }

  /** Those whose headers or whole request take longer than so many milliseconds; told once. */
  expired(headersMs: number, requestMs: number): object[] {
    const isSwapped = requestMs > 0 && headersMs > requestMs;
    const [headers, request] = isSwapped ? [requestMs, headersMs] : [headersMs, requestMs];
    const now = monotonicMs();
    const late = [...this.#active].filter(({ messageStart, hasHeaders }) => {
      if (headers > 0 && !hasHeaders && messageStart < now - headers) return true;
      return request > 0 && messageStart < now - request;
    });
    for (const one of late) this.#active.delete(one);
    return parsersOf(late);
  }
}

/** Those without a message first, then by the age of their message. */
function parsersOf(listed: Iterable<Listed>): object[] {
  return [...listed]
    .toSorted((one, other) => one.messageStart - other.messageStart)
    .map(({ parser }) => parser);
}
