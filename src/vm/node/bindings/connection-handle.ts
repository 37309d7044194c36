// What streams of sockets do beside reading and writing: they connect, and take connections.
import { CallError, call } from "../channel.ts";
import { uvNumber, uvNumberOf } from "../errors.ts";
import { cancel, request, setRef } from "../requests.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import { soon } from "./handle.ts";
import { StreamHandle } from "./stream-wrap.ts";

const { AF_INET6 } = staticsOf("cares_wrap") as { AF_INET6: number };

/** A socket's address as the kernel has it. */
export type Address =
  | { readonly family: number; readonly address: string; readonly port: number }
  | { readonly family: number; readonly path: string };

export interface ConnectRequest extends AsyncWrap {
  oncomplete?: (
    status: number,
    handle: unknown,
    req: unknown,
    readable: boolean,
    writable: boolean,
  ) => void;
}

export abstract class ConnectionHandle extends StreamHandle {
  onconnection?: (status: number, client?: ConnectionHandle) => void;
  /** An error that libuv keeps for the next call. */
  protected delayedError = 0;
  #accepting: number | undefined;
  #isListening = false;
  #connecting: { readonly id: number | undefined; readonly req: ConnectRequest } | undefined;

  /** The handle of a connection that came. */
  protected abstract makeClient(): ConnectionHandle;

  protected listenNow(backlog: number): number {
    if (this.delayedError !== 0) return this.delayedError;
    const status = attempt(() => call("socketListen", this.fd, backlog));
    if (status !== 0 || this.#isListening) return status;
    this.#isListening = true;
    this.#acceptNext();
    return 0;
  }

  #acceptNext(): void {
    this.#accepting = request(
      "waitReadable",
      [this.fd],
      () => {
        this.#accepting = undefined;
        this.#accept();
        if (!this.isClosed) this.#acceptNext();
      },
      this.hasRef(),
    );
  }

  #accept(): void {
    let fd: number;
    try {
      fd = call("socketAccept", this.fd);
    } catch (error) {
      const status = uvNumberOf(error);
      if (status === uvNumber("EAGAIN") || status === uvNumber("ECONNABORTED")) return;
      AsyncWrap.within(this, () => this.onconnection?.(status));
      return;
    }
    AsyncWrap.within(this, () => {
      const client = this.makeClient();
      client.fd = fd;
      this.onconnection?.(0, client);
    });
  }

  /** `isEarly` tells which errors of the call itself are its answer; others come with the request. */
  protected connectNow(
    req: ConnectRequest,
    to: Address,
    isEarly: (status: number) => boolean,
  ): number {
    if (this.#connecting !== undefined) return uvNumber("EALREADY");
    let status = this.delayedError;
    this.delayedError = 0;
    let isConnected = true;
    if (status === 0) {
      status = attempt(() => {
        isConnected = call("socketConnect", this.fd, to);
      });
      if (status !== 0 && isEarly(status)) return status;
    }
    const [name, args] = isConnected ? ["nothing", []] : ["socketConnected", [this.fd]];
    const id = request(name as string, args as never[], (error) => {
      this.#connecting = undefined;
      this.#connected(req, error === undefined ? status : uvNumber(error.code));
    });
    this.#connecting = { id, req };
    return 0;
  }

  #connected(req: ConnectRequest, status: number): void {
    AsyncWrap.within(req, () => req.oncomplete?.(status, this, req, status === 0, status === 0));
  }

  protected override refChanged(isRef: boolean): void {
    super.refChanged(isRef);
    if (this.#accepting !== undefined) setRef(this.#accepting, isRef);
  }

  protected override release(): void {
    if (this.#accepting !== undefined) cancel(this.#accepting);
    this.#accepting = undefined;
    const connecting = this.#connecting;
    this.#connecting = undefined;
    if (connecting?.id !== undefined) cancel(connecting.id);
    super.release();
    if (connecting !== undefined)
      soon(() => this.#connected(connecting.req, uvNumber("ECANCELED")));
  }
}

/** As libuv takes an address: the loopback's zone is no part of it, and a port is what it is as a number. */
export function addressOf(family: number, address: string, port: unknown): Address {
  return { family, address: address.replace(/%[^%]*$/, ""), port: Number(port) >>> 0 };
}

/** 0, or libuv's number of the errno that the call failed with. */
export function attempt(run: () => void): number {
  try {
    run();
    return 0;
  } catch (error) {
    if (error instanceof CallError) return uvNumber(error.code);
    throw error;
  }
}

/** Writes an address into the object that Node's library gave. */
export function fillAddress(out: Record<string, unknown> | undefined, name: () => Address): number {
  return attempt(() => {
    const address = name();
    if (out === undefined || !("port" in address)) return;
    out["address"] = address.address;
    out["family"] = address.family === AF_INET6 ? "IPv6" : "IPv4";
    out["port"] = address.port;
  });
}
