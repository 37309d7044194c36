import { Socket } from "node:net";

/** More than one reply of the largest kind. */
const BUFFER_BYTES = (1 << 20) + (1 << 16);

/**
 * The wire, read into one buffer again and again: what is emitted as data is good until the listener returns
 * or, where that has paused the wire, until it resumes it. A buffer for each 64 KB, as sockets have it by
 * default, is garbage whose collection takes longer than reading.
 */
export function openWire(fd: number): Socket {
  const take = (count: number, bytes: Uint8Array): boolean => {
    wire.emit("data", bytes.subarray(0, count));
    return true;
  };
  const onread = { buffer: new Uint8Array(BUFFER_BYTES), callback: take };
  const wire = new Socket({ fd, readable: true, writable: true, onread });
  return wire;
}
