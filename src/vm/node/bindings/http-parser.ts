import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { bytesOf, toBuffer } from "./buffer.ts";
import { ConnectionsList } from "./http-parser/connections-list.ts";
import { events, lenientFlags, types } from "./http-parser/constants.ts";
import { MessageParser } from "./http-parser/parser.ts";
import type { StreamHandle } from "./stream-wrap.ts";

class HTTPParser {
  readonly #parser = new MessageParser(this);
  #stream: StreamHandle | undefined;

  initialize(type: number, resource: object, ...rest: [number?, number?, ConnectionsList?]): void {
    const [headerLimit = 0, lenient = 0, list] = rest;
    const parser = this.#parser;
    parser.initialize(type, resource, headerLimit, lenient);
    parser.list = list ?? undefined;
    if (parser.list !== undefined) parser.enlist();
  }

  getAsyncId(): number {
    return this.#parser.asyncId;
  }

  execute(data: ArrayBufferView): number | Error {
    return this.#parser.execute(bytesOf(data));
  }

  finish(): Error | undefined {
    return this.#parser.finish();
  }

  pause(): void {
    this.#parser.pause(true);
  }

  resume(): void {
    this.#parser.pause(false);
  }

  /** From now on the parser gets what is read from a stream. */
  consume(stream: StreamHandle): void {
    this.unconsume();
    this.#stream = stream;
    stream.consumer = this.#parser;
  }

  unconsume(): void {
    if (this.#stream?.consumer === this.#parser) this.#stream.consumer = undefined;
    this.#stream = undefined;
  }

  getCurrentBuffer(): Uint8Array {
    return toBuffer((this.#parser.current ?? new Uint8Array(0)).slice());
  }

  remove(): void {
    this.#parser.isBeingFreed = true;
    ConnectionsList.remove(this.#parser.list, this.#parser);
  }

  free(): void {
    this.#parser.destroyed();
  }

  close(): void {
    this.unconsume();
    this.#parser.close();
  }
}

Object.assign(HTTPParser, types, events, lenientFlags);

export const httpParser = (): Binding => ({
  ...staticsOf("http_parser"),
  HTTPParser,
  ConnectionsList,
});
