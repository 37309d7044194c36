// Waiting for a socket that is full. Runs on Node 20.
import type { Socket } from "node:net";

/** One wait that all senders to a socket share, however many they are. */
export class Drained {
  readonly #socket: Socket;
  #waiting: Promise<void> | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** After a write that returned false: resolves when more may be written, or there is nobody to write to. */
  async wait(): Promise<void> {
    this.#waiting ??= new Promise<void>((resolve) => {
      const finish = (): void => {
        this.#socket.off("drain", finish).off("close", finish);
        this.#waiting = undefined;
        resolve();
      };
      this.#socket.on("drain", finish).on("close", finish);
    });
    await this.#waiting;
  }
}
