// The part of a port that moves with it when it is transferred: its queue, and the ports it talks to.
import type { Message } from "./message.ts";

/** Says that the other side is closed. */
export const CLOSE = Symbol("close");

export type Incoming = Message | typeof CLOSE;

/** Messages a port holds for a receiver that does not take them. */
const QUEUE_LIMIT = 1_000_000;

export class PortData {
  readonly #queue: Incoming[] = [];
  #group: PortGroup | undefined;
  /** Told when there is something in the queue. */
  onIncoming: (() => void) | undefined;

  get group(): PortGroup | undefined {
    return this.#group;
  }

  get first(): Incoming | undefined {
    return this.#queue[0];
  }

  get length(): number {
    return this.#queue.length;
  }

  takeFirst(): Incoming | undefined {
    return this.#queue.shift();
  }

  add(incoming: Incoming): void {
    if (this.#queue.length >= QUEUE_LIMIT) throw new RangeError("Too many messages wait at a port");
    this.#queue.push(incoming);
    this.onIncoming?.();
  }

  join(group: PortGroup): void {
    this.#group = group;
    group.ports.add(this);
  }

  /** Leaves its group: both sides learn that it is over. */
  disentangle(): void {
    const group = this.#group;
    if (group === undefined) return;
    group.ports.delete(this);
    this.#group = undefined;
    this.add(CLOSE);
    group.left();
  }

  /** Gives a message to the others of its group; undefined where it is of none. */
  dispatch(message: Message, warn: (text: string) => void): boolean | undefined {
    return this.#group?.dispatch(this, message, warn);
  }
}

/** The ports that talk to each other: the two of a channel, or all of one name. */
export class PortGroup {
  readonly ports = new Set<PortData>();
  readonly #onEmpty: (() => void) | undefined;

  /** With `onEmpty` a group by name, whose ports outlive each other. */
  constructor(onEmpty?: () => void) {
    this.#onEmpty = onEmpty;
  }

  /** Whether there was somebody to get it. */
  dispatch(source: PortData, message: Message, warn: (text: string) => void): boolean | undefined {
    if (this.ports.size > 2 && message.objects.some((object) => "port" in object)) {
      warn("Transferables cannot be used with multiple destinations.");
      return undefined;
    }
    for (const port of this.ports) {
      if (port === source) continue;
      if (message.objects.some((object) => "port" in object && object.port === port)) {
        warn("The target port was posted to itself, and the communication channel was lost");
        return true;
      }
      port.add(message);
    }
    return this.ports.size > 1;
  }

  /** One of its ports left it. */
  left(): void {
    if (this.#onEmpty !== undefined) {
      if (this.ports.size === 0) this.#onEmpty();
      return;
    }
    if (this.ports.size === 1) for (const other of this.ports) other.add(CLOSE);
  }
}
