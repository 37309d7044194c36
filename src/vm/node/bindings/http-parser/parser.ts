// Node's HTTPParser, see src/node_http_parser.cc: llhttp's events as callbacks of its owner.
import { drain } from "../../loop/callback-scope.ts";
import { catchThrown } from "../../loop/catch-thrown.ts";
import { monotonicMs } from "../../loop/event-loop.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { toBuffer } from "../buffer.ts";
import { optionValues } from "../options.ts";
import { ConnectionsList, type Listed } from "./connections-list.ts";
import { events, lenientSetters, types } from "./constants.ts";
import { HeaderText } from "./header-text.ts";
import { type Events, llhttp, running } from "./llhttp.ts";
import { parseError, setReason } from "./parse-error.ts";
import { Input } from "./parse-input.ts";

const HPE_PAUSED_UPGRADE = 22;
const CHUNK_EXTENSIONS_LIMIT = 16_384;

const lost = new FinalizationRegistry<number>((pointer) =>
  llhttp().exports["llhttp_free"]?.(pointer),
);

/** Where a message is: a chunk's events are those of a first line while there is a body. */
type Phase = "start" | "head" | "body";

export class MessageParser implements Events, Listed {
  readonly parser: Record<number | string, any>;
  input: Input | undefined;
  messageStart = 0;
  hasReceived = false;
  hasHeaders = false;
  isBeingFreed = false;
  list: ConnectionsList | undefined;
  /** What getCurrentBuffer answers. */
  current: Uint8Array | undefined;
  #wrap: AsyncWrap | undefined;
  #pointer = 0;
  #type = 0;
  #phase: Phase = "start";
  readonly #head = new HeaderText();
  #headerBytes = 0;
  #headerLimit = 0;
  #headerPairs = 0;
  #extensionBytes = 0;
  #hasFlushed = false;
  /** The bytes come from a stream: nothing of the process's own is on the stack. */
  #isTaking = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(parser: object) {
    this.parser = parser;
  }

  get asyncId(): number {
    return this.#wrap?.getAsyncId() ?? -1;
  }

  initialize(type: number, resource: object, headerLimit: number, lenient: number): void {
    const { exports, settings } = llhttp();
    if (this.#pointer === 0) {
      this.#pointer = exports["llhttp_alloc"]?.(type) ?? 0;
      lost.register(this.parser, this.#pointer, this);
    }
    exports["llhttp_init"]?.(this.#pointer, type, settings);
    for (const [bit, setter] of lenientSetters) {
      if ((lenient & bit) !== 0) exports[setter]?.(this.#pointer, 1);
    }
    const isRequest = type === types.REQUEST;
    this.#wrap = new AsyncWrap(isRequest ? "HTTPINCOMINGMESSAGE" : "HTTPCLIENTREQUEST", resource);
    this.#type = type;
    this.#phase = "start";
    this.#headerLimit = headerLimit || Number(optionValues.get("--max-http-header-size"));
    this.#headerBytes = this.#headerPairs = 0;
    this.#hasFlushed = this.isBeingFreed = this.hasHeaders = false;
    this.#head.url = this.#head.statusMessage = "";
    this.#head.clearHeaders();
  }

  /** The server's list knows of the connection before its first byte. */
  enlist(): void {
    this.hasReceived = false;
    this.messageStart = monotonicMs();
    ConnectionsList.add(this.list, this, true);
  }

  destroyed(): void {
    if (this.#wrap !== undefined) AsyncWrap.destroyed(this.#wrap);
  }

  close(): void {
    if (this.#pointer === 0 || this.input !== undefined) return;
    lost.unregister(this);
    llhttp().exports["llhttp_free"]?.(this.#pointer);
    this.#pointer = 0;
  }

  pause(isPaused: boolean): void {
    if (this.#pointer !== 0)
      llhttp().exports[isPaused ? "llhttp_pause" : "llhttp_resume"]?.(this.#pointer);
  }

  /** The bytes that it took, or the error that is in them. Throws what a callback threw. */
  execute(bytes: Uint8Array): number | Error {
    const machine = llhttp();
    this.#failure = undefined;
    this.current = bytes;
    const { errno, read } = Input.execute(machine, this.#pointer, bytes, this);
    // This isn't a real pause, just a way to stop parsing early.
    const isUpgrade = errno === HPE_PAUSED_UPGRADE;
    if (isUpgrade) machine.exports["llhttp_resume_after_upgrade"]?.(this.#pointer);
    this.current = undefined;
    return this.#problem(isUpgrade ? 0 : errno, read) ?? read;
  }

  finish(): Error | undefined {
    this.#failure = undefined;
    running.push(this);
    const errno = llhttp().exports["llhttp_finish"]?.(this.#pointer) ?? 0;
    running.pop();
    return this.#problem(errno, 0);
  }

  #problem(errno: number, read: number): Error | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    return parseError(this.#pointer, errno, read);
  }

  /** Gives a stream's bytes, and then what became of them. */
  take(bytes: Uint8Array): void {
    this.#isTaking = true;
    let result: number | Error;
    try {
      result = this.execute(bytes);
    } finally {
      this.#isTaking = false;
    }
    const callback = this.parser[events.kOnExecute];
    if (typeof callback !== "function" || this.#wrap === undefined) return;
    this.current = bytes;
    try {
      AsyncWrap.within(this.#wrap, () => callback.call(this.parser, result));
    } finally {
      this.current = undefined;
    }
  }

  /** What it throws comes out of `execute`. */
  #emit(event: number, args: readonly unknown[]): unknown {
    const callback = this.parser[event];
    if (typeof callback !== "function" || this.#wrap === undefined) return 0;
    let answer: unknown;
    AsyncWrap.within(this.#wrap, () => {
      const thrown = catchThrown(() => {
        answer = callback.apply(this.parser, args);
      });
      if (thrown !== undefined) this.#failure = thrown;
    });
    return answer;
  }

  #track(length: number): number {
    this.#headerBytes += length;
    if (this.#headerBytes < this.#headerLimit) return 0;
    return setReason(this.#pointer, "HPE_HEADER_OVERFLOW:Header overflow");
  }

  messageBegin(): number {
    if (this.isBeingFreed) return 0;
    if (this.#phase === "body") {
      this.#headerBytes = this.#extensionBytes = 0;
      return 0;
    }
    ConnectionsList.remove(this.list, this);
    this.#head.clearHeaders();
    this.#head.url = this.#head.statusMessage = "";
    this.#phase = "head";
    this.hasHeaders = false;
    this.#extensionBytes = 0;
    this.hasReceived = true;
    this.messageStart = monotonicMs();
    ConnectionsList.add(this.list, this, true);
    this.#emit(events.kOnMessageBegin, []);
    return 0;
  }

  url(at: number, length: number): number {
    if (this.isBeingFreed) return 0;
    const error = this.#track(length);
    if (error === 0) this.#head.url += this.#text(at, length);
    return error;
  }

  status(at: number, length: number): number {
    if (this.isBeingFreed) return 0;
    if (this.#phase === "body") return this.#chunkExtension(length);
    const error = this.#track(length);
    if (error === 0) this.#head.statusMessage += this.#text(at, length);
    return error;
  }

  #chunkExtension(length: number): number {
    this.#extensionBytes += length;
    if (this.#extensionBytes <= CHUNK_EXTENSIONS_LIMIT) return 0;
    return setReason(this.#pointer, "HPE_CHUNK_EXTENSIONS_OVERFLOW:Chunk extensions overflow");
  }

  headerField(at: number, length: number): number {
    if (this.isBeingFreed) return 0;
    const error = this.#track(length);
    if (error !== 0) return error;
    const name = this.#text(at, length);
    if (!this.#head.isAtField) {
      this.#head.extendField(name);
      return 0;
    }
    const isTooMany = this.#type === types.REQUEST && this.#countPair();
    if (isTooMany) return setReason(this.#pointer, "HPE_HEADER_OVERFLOW:Header overflow");
    this.#head.addField(name, () => this.#flush());
    return 0;
  }

  #countPair(): boolean {
    this.#headerPairs += 2;
    const limit = this.parser["maxHeaderPairs"];
    return typeof limit === "number" && limit > 0 && this.#headerPairs > limit;
  }

  headerValue(at: number, length: number): number {
    if (this.isBeingFreed) return 0;
    const error = this.#track(length);
    if (error === 0) this.#head.addValue(this.#text(at, length));
    return error;
  }

  #text(at: number, length: number): string {
    return this.input?.text(at, length) ?? "";
  }

  #flush(): void {
    if (typeof this.parser[events.kOnHeaders] !== "function") return;
    this.#emit(events.kOnHeaders, [this.#head.headers(), this.#head.url]);
    this.#head.url = "";
    this.#hasFlushed = true;
  }

  headersComplete(statusCode: number, isUpgrade: boolean, isKeptAlive: boolean): number {
    if (this.isBeingFreed) return 0;
    this.hasHeaders = true;
    this.#phase = "body";
    this.#headerBytes = 0;
    if (typeof this.parser[events.kOnHeadersComplete] !== "function") return 0;
    const answer = this.#emit(
      events.kOnHeadersComplete,
      this.#headArguments(statusCode, isUpgrade, isKeptAlive),
    );
    return this.#failure === undefined ? Number(answer) | 0 : -1;
  }

  #headArguments(statusCode: number, isUpgrade: boolean, isKeptAlive: boolean): unknown[] {
    const { exports } = llhttp();
    const isRequest = this.#type === types.REQUEST;
    let headers: string[] | undefined;
    let url: string | undefined;
    if (this.#hasFlushed) this.#flush();
    else {
      headers = this.#head.headers();
      if (isRequest) ({ url } = this.#head);
    }
    this.#head.clearHeaders();
    this.#headerPairs = 0;
    const major = exports["llhttp_get_http_major"]?.(this.#pointer);
    const minor = exports["llhttp_get_http_minor"]?.(this.#pointer);
    const method = isRequest ? exports["llhttp_get_method"]?.(this.#pointer) : undefined;
    const status = isRequest ? [undefined, undefined] : [statusCode, this.#head.statusMessage];
    return [major, minor, headers, method, url, ...status, isUpgrade, isKeptAlive];
  }

  body(at: number, length: number): number {
    if (this.isBeingFreed || length === 0 || this.input === undefined) return 0;
    if (typeof this.parser[events.kOnBody] !== "function") return 0;
    this.#emit(events.kOnBody, [toBuffer(this.input.copy(at, length))]);
    if (this.#isTaking) drain();
    return this.#failure === undefined
      ? 0
      : setReason(this.#pointer, "HPE_JS_EXCEPTION:JS Exception");
  }

  messageComplete(): number {
    if (this.isBeingFreed) return 0;
    this.#phase = "start";
    ConnectionsList.remove(this.list, this);
    this.messageStart = 0;
    ConnectionsList.add(this.list, this, false);
    if (this.#head.hasFields) this.#flush();
    this.#headerPairs = 0;
    this.#emit(events.kOnMessageComplete, []);
    return this.#failure === undefined ? 0 : -1;
  }
}
