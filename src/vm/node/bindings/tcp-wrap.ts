import { call } from "../channel.ts";
import { uvNumber, uvNumberOf } from "../errors.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import {
  type Address,
  addressOf,
  attempt,
  ConnectionHandle,
  type ConnectRequest,
  fillAddress,
} from "./connection-handle.ts";

const values = staticsOf("tcp_wrap");
const { SOCKET, SERVER, UV_TCP_IPV6ONLY, UV_TCP_REUSEPORT } = values["constants"];
const { AF_INET, AF_INET6 } = staticsOf("cares_wrap") as Record<"AF_INET" | "AF_INET6", number>;
const SOCK_STREAM = 1;

type Out = Record<string, unknown>;

class TCP extends ConnectionHandle {
  #family = AF_INET;

  constructor(type: number) {
    super(type === SERVER ? "TCPSERVERWRAP" : "TCPWRAP");
  }

  open(fd: number): number {
    return attempt(() => {
      call("socketAdopt", fd);
      this.#family = call("socketOption", fd, "SO_DOMAIN");
      this.fd = fd;
    });
  }

  bind(address: string, port: number, flags = 0): number {
    return this.#bind(addressOf(AF_INET, address, port), flags);
  }

  bind6(address: string, port: number, flags = 0): number {
    return this.#bind(addressOf(AF_INET6, address, port), flags);
  }

  /** That an address is in use is told by the listen or connect that follows, as libuv does. */
  #bind(to: Address, flags: number): number {
    if ((flags & UV_TCP_IPV6ONLY) !== 0 && to.family !== AF_INET6) return uvNumber("EINVAL");
    const status = attempt(() => {
      this.#openSocket(to.family);
      call("setSocketOption", this.fd, "SO_REUSEADDR", 1);
      if ((flags & UV_TCP_REUSEPORT) !== 0) call("setSocketOption", this.fd, "SO_REUSEPORT", 1);
      if (to.family === AF_INET6) {
        call("setSocketOption", this.fd, "IPV6_V6ONLY", (flags & UV_TCP_IPV6ONLY) === 0 ? 0 : 1);
      }
      call("socketBind", this.fd, to);
    });
    this.delayedError = status === uvNumber("EADDRINUSE") ? status : 0;
    if (this.delayedError !== 0) return 0;
    return status === uvNumber("EAFNOSUPPORT") ? uvNumber("EINVAL") : status;
  }

  listen(backlog: number): number {
    const status = attempt(() => this.#openSocket(AF_INET));
    return status === 0 ? this.listenNow(backlog) : status;
  }

  connect(req: ConnectRequest, address: string, port: number): number {
    return this.#connect(req, addressOf(AF_INET, address, port));
  }

  connect6(req: ConnectRequest, address: string, port: number): number {
    return this.#connect(req, addressOf(AF_INET6, address, port));
  }

  #connect(req: ConnectRequest, to: Address): number {
    const status = attempt(() => this.#openSocket(to.family));
    if (status !== 0) return status;
    return this.connectNow(req, to, (early) => early !== uvNumber("ECONNREFUSED"));
  }

  #openSocket(family: number): void {
    if (this.fd >= 0) return;
    this.fd = call("socketOpen", family, SOCK_STREAM);
    this.#family = family;
  }

  protected override makeClient(): TCP {
    const client = new TCP(SOCKET);
    client.#family = this.#family;
    return client;
  }

  getsockname(out: Out): number {
    if (this.delayedError !== 0) return this.delayedError;
    return fillAddress(out, () => call("socketName", this.fd));
  }

  getpeername(out: Out): number {
    return fillAddress(out, () => call("socketPeer", this.fd));
  }

  setNoDelay(isOn: boolean): number {
    return attempt(() => call("setSocketOption", this.fd, "TCP_NODELAY", isOn === true ? 1 : 0));
  }

  setKeepAlive(isOn: boolean, delay: number, interval = 1, count = 10): number {
    return attempt(() => {
      call("setSocketOption", this.fd, "SO_KEEPALIVE", isOn ? 1 : 0);
      if (!isOn) return;
      call("setSocketOption", this.fd, "TCP_KEEPIDLE", delay);
      call("setSocketOption", this.fd, "TCP_KEEPINTVL", interval);
      call("setSocketOption", this.fd, "TCP_KEEPCNT", count);
    });
  }

  setTypeOfService(value: number): number {
    return attempt(() => call("setSocketOption", this.fd, this.#serviceOption(), value));
  }

  getTypeOfService(): number {
    try {
      return call("socketOption", this.fd, this.#serviceOption());
    } catch (error) {
      return uvNumberOf(error);
    }
  }

  #serviceOption(): string {
    return this.#family === AF_INET6 ? "IPV6_TCLASS" : "IP_TOS";
  }

  /** Closes, and the peer gets ECONNRESET. */
  reset(callback?: () => void): number {
    if (this.isClosed) return 0;
    const status = attempt(() => call("setSocketOption", this.fd, "SO_LINGER", 0));
    if (status === 0) this.close(callback);
    return status;
  }
}

class TCPConnectWrap extends AsyncWrap {
  constructor() {
    super("TCPCONNECTWRAP");
  }
}

export const tcpWrap = (): Binding => ({ ...values, TCP, TCPConnectWrap });
