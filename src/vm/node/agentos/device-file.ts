// An open /dev/toolkits, see toolkit-cli/device-protocol.ts.
import { CallError, call } from "../channel.ts";
import { type Completion, cancel, request } from "../requests.ts";
import { ToolError } from "./tool-error.ts";

const DEVICE = "/dev/toolkits";
const O_RDWR = 2;
/** What a read asks for at first: most results are short. One that is filled makes the next ask for more. */
const READ_BYTES = { least: 4 * 1024, most: 256 * 1024 };
const WRITE_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

export class DeviceFile {
  readonly #Buffer: any;
  #fd = -1;
  /** The beginning of a line whose end has not come. */
  #parts: Uint8Array[] = [];
  #reading = 0;
  #readBytes = READ_BYTES.least;

  constructor(Buffer: any) {
    this.#Buffer = Buffer;
  }

  /** Writes a request; opens the device for the first. ToolError. */
  write(what: object): void {
    try {
      if (this.#fd < 0) this.#fd = call("open", DEVICE, O_RDWR);
      const bytes = this.#Buffer.from(`${JSON.stringify(what)}\n`);
      for (let at = 0; at < bytes.length; ) {
        at += call("write", this.#fd, bytes.subarray(at, at + WRITE_BYTES), null);
      }
    } catch (error) {
      throw error instanceof CallError ? unreachable(error) : error;
    }
  }

  /** Waits for bytes; gives the events that they end. Keeps the process alive meanwhile. */
  read(done: (error: ToolError | undefined, events: readonly any[]) => void): void {
    const completed: Completion = (error, data: Uint8Array) => {
      if (error !== undefined) done(unreachable(error), []);
      else done(undefined, [...this.#split(this.#measure(data))]);
    };
    this.#reading = request("read", [this.#fd, this.#readBytes, null], completed);
  }

  /** Gives up the read under way and all calls. */
  close(): void {
    if (this.#fd < 0) return;
    if (this.#reading > 0) cancel(this.#reading);
    call("close", this.#fd);
    this.#fd = -1;
  }

  #measure(data: Uint8Array): Uint8Array {
    const isFull = data.length === this.#readBytes;
    const wished = isFull ? 4 * this.#readBytes : READ_BYTES.least;
    this.#readBytes = Math.min(wished, READ_BYTES.most);
    return data;
  }

  *#split(data: Uint8Array): Generator<any, void> {
    let from = 0;
    for (let end = data.indexOf(LINE_FEED); end >= 0; end = data.indexOf(LINE_FEED, from)) {
      this.#parts.push(data.subarray(from, end));
      from = end + 1;
      const line = this.#Buffer.concat(this.#parts);
      this.#parts = [];
      yield JSON.parse(line.toString());
    }
    if (from < data.length) this.#parts.push(data.slice(from));
  }
}

function unreachable({ code }: CallError): ToolError {
  return new ToolError("unavailable", `The toolkits of this VM cannot be reached (${code}).`);
}
