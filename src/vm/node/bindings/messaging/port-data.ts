// The part of a port that moves with it when it is transferred: what waits for it, and whom it talks to.
// A port whose other side is in another thread is an end of a channel in the kernel.
import { CallError, call } from "../../channel.ts";
import { cancel, request } from "../../requests.ts";
import type { Message } from "./message.ts";
import { packMessage, unpackMessage } from "./packed-message.ts";

/** Says that the other side is closed. */
export const CLOSE = Symbol("close");

export type Incoming = Message | typeof CLOSE;

/** Messages a port holds for a receiver that does not take them. */
const QUEUE_LIMIT = 1_000_000;

export class PortData {
  readonly #queue: Incoming[] = [];
  /** The other side, where it is in this thread. */
  #sibling: PortData | undefined;
  /** The end of a channel of the kernel. */
  #end: number | undefined;
  #waiting: number | undefined;
  #isReceiving = false;
  #onIncoming: (() => void) | undefined;

  /** Two that talk to each other. */
  static pair(): [PortData, PortData] {
    const [first, second] = [new PortData(), new PortData()];
    first.#sibling = second;
    second.#sibling = first;
    return [first, second];
  }

  /** One whose other side is wherever the kernel knows. */
  static ofEnd(end: number): PortData {
    const data = new PortData();
    data.#end = end;
    return data;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Who is told when something comes in; undefined while it is of no port. */
  listen(onIncoming: (() => void) | undefined): void {
    this.#onIncoming = onIncoming;
    if (onIncoming === undefined) this.#stopWaiting();
    else this.wait();
  }

  /** Whether messages are wanted, or just the news of the end. */
  setReceiving(isReceiving: boolean): void {
    if (this.#isReceiving === isReceiving) return;
    this.#isReceiving = isReceiving;
    this.#stopWaiting();
    this.wait();
  }

  /** Has the kernel say when something comes in. */
  wait(): void {
    if (this.#end === undefined || this.#onIncoming === undefined) return;
    if (this.#waiting !== undefined) return;
    const done = (): void => {
      this.#waiting = undefined;
      this.#onIncoming?.();
    };
    this.#waiting = request("portWait", [this.#end, !this.#isReceiving], done, false);
  }

  #stopWaiting(): void {
    if (this.#waiting !== undefined) cancel(this.#waiting);
    this.#waiting = undefined;
  }

  /** The next thing that came in; without `isWanted` only the news of the end. */
  take(isWanted: boolean): Incoming | undefined {
    const [first] = this.#queue;
    if (first !== undefined) return isWanted || first === CLOSE ? this.#queue.shift() : undefined;
    if (this.#end === undefined) return undefined;
    const taken = call("portTake", this.#end, !isWanted);
    if (taken === undefined) return undefined;
    return taken === "closed" ? CLOSE : unpackMessage(taken[0], PortData.ofEnd);
  }

  #add(incoming: Incoming): void {
    if (this.#queue.length >= QUEUE_LIMIT) throw new RangeError("Too many messages wait at a port");
    this.#queue.push(incoming);
    this.#onIncoming?.();
  }

  /** Gives a message to the other side; whether there is one. */
  dispatch(message: Message, warn: (text: string) => void): boolean | undefined {
    if (this.#end !== undefined) return post(this.#end, message);
    const other = this.#sibling;
    if (other === undefined) return undefined;
    if (message.objects.some((object) => "port" in object && object.port === other)) {
      warn("The target port was posted to itself, and the communication channel was lost");
      other.disentangle();
      return true;
    }
    other.#add(message);
    return true;
  }

  /** Leaves the other side: both learn that it is over. */
  disentangle(): void {
    const other = this.#sibling;
    this.#sibling = undefined;
    this.#stopWaiting();
    if (this.#end !== undefined) call("portClose", this.#end);
    this.#end = undefined;
    if (other === undefined) return;
    other.#sibling = undefined;
    other.#add(CLOSE);
  }

  /** Makes it an end of a channel of the kernel, to be sent to another thread. */
  toEnd(): number {
    if (this.#end !== undefined) return this.#end;
    const [mine, theirs]: [number, number] = call("portPair");
    for (const incoming of this.#queue.splice(0)) if (incoming !== CLOSE) post(theirs, incoming);
    const other = this.#sibling;
    if (other === undefined) call("portClose", theirs);
    else other.#moveTo(theirs);
    this.#sibling = undefined;
    this.#end = mine;
    return mine;
  }

  #moveTo(end: number): void {
    this.#sibling = undefined;
    this.#end = end;
    this.wait();
  }
}

function post(end: number, message: Message): boolean {
  try {
    return call("portPost", end, packMessage(message));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw new RangeError(`The message could not be posted: ${error.code}`);
  }
}
