// sendmsg(2) with descriptors, see unix(7) and cmsg(3): Node has no way to hand one to another process.
import { syscallNumbers } from "../../linux/index.ts";
import type { Libc } from "./libc.ts";
import { filterArchitecture } from "./seccomp.ts";

/** One message at a time, from memory of a fixed address. */
export class DescriptorSender {
  readonly #libc: Libc;
  readonly #memory = new Uint8Array(BODY_AT + LONGEST_BODY);
  readonly #view = new DataView(this.#memory.buffer);
  readonly #address: bigint;
  readonly #number: number;

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#address = libc.addressOf(this.#memory);
    this.#number = syscallNumbers.sendmsg[filterArchitecture() ?? "x64"];
  }

  /** Sends all of it without waiting. Throws LibcError, EAGAIN where the other side does not read. */
  send(socket: number, body: Uint8Array, fds: readonly number[]): void {
    if (body.length > LONGEST_BODY)
      throw new RangeError(`a message of ${body.length} bytes is too long`);
    this.#memory.set(body, BODY_AT);
    this.#describe(body.length, fds);
    const flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    const sent = this.#libc.syscall("sendmsg", this.#number, socket, this.#address, flags);
    if (sent !== body.length) throw new Error(`only ${sent} of ${body.length} bytes were sent`);
  }

  /** struct msghdr at 0, struct iovec at 64, the control message at 96. */
  #describe(length: number, fds: readonly number[]): void {
    const view = this.#view;
    const at = (offset: number): bigint => this.#address + BigInt(offset);
    view.setBigUint64(16, at(VECTOR_AT), true);
    view.setBigUint64(24, 1n, true);
    view.setBigUint64(VECTOR_AT, at(BODY_AT), true);
    view.setBigUint64(VECTOR_AT + 8, BigInt(length), true);
    const controlBytes = fds.length === 0 ? 0 : CONTROL_HEADER + fds.length * 4;
    view.setBigUint64(32, controlBytes === 0 ? 0n : at(CONTROL_AT), true);
    view.setBigUint64(40, BigInt(controlBytes), true);
    view.setBigUint64(CONTROL_AT, BigInt(controlBytes), true);
    view.setInt32(CONTROL_AT + 8, SOL_SOCKET, true);
    view.setInt32(CONTROL_AT + 12, SCM_RIGHTS, true);
    for (const [index, fd] of fds.entries())
      view.setInt32(CONTROL_AT + CONTROL_HEADER + index * 4, fd, true);
  }
}

const VECTOR_AT = 64;
const CONTROL_AT = 96;
const CONTROL_HEADER = 16;
const BODY_AT = 256;
/** The launcher's FRAME_LIMIT and a header. */
const LONGEST_BODY = 256 * 1024 + 12;
/** sys/socket.h */
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
const SOL_SOCKET = 1;
const SCM_RIGHTS = 1;
