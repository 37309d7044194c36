import { CallError, call } from "../channel.ts";
import { uvErrors, uvNumber, uvNumberOf } from "../errors.ts";
import { cancel, request, setRef } from "../requests.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { bytesOf, toBuffer } from "./buffer.ts";
import { type Address, addressOf, attempt, fillAddress } from "./connection-handle.ts";
import { soon } from "./handle.ts";
import { optionValues } from "./options.ts";
import { MulticastHandle } from "./udp-multicast.ts";

const values = staticsOf("udp_wrap");
const { UV_UDP_IPV6ONLY, UV_UDP_REUSEADDR, UV_UDP_REUSEPORT } = values["constants"];
const { AF_INET, AF_INET6 } = staticsOf("cares_wrap") as Record<"AF_INET" | "AF_INET6", number>;
const SOCK_DGRAM = 2;
/** Datagrams that are taken before others of the loop have their turn, as libuv. */
const TURN_DATAGRAMS = 32;

type Out = Record<string, unknown>;

class SendWrap extends AsyncWrap {
  oncomplete?: (status: number, sent: number) => void;
  constructor() {
    super("UDPSENDWRAP");
  }
}

interface Waiting {
  readonly req: SendWrap;
  readonly data: Uint8Array;
  readonly to: Address | undefined;
  readonly isTold: boolean;
}

class UDP extends MulticastHandle {
  onmessage?: (count: number, handle: UDP, data?: unknown, from?: Out) => void;
  #fd = -1;
  #family = AF_INET;
  #isBound = false;
  #isConnected = false;
  #receiving: number | undefined;
  readonly #queue: Waiting[] = [];
  #sending: number | undefined;

  constructor() {
    super("UDPWRAP");
  }

  get fd(): number {
    return this.#fd < 0 ? uvNumber("EBADF") : this.#fd;
  }

  open(fd: number): number {
    return attempt(() => {
      call("socketAdopt", fd);
      this.#family = call("socketOption", fd, "SO_DOMAIN");
      this.#fd = fd;
      this.#isBound = true;
    });
  }

  bind(address: string, port: number, flags: number): number {
    return this.#bind(addressOf(AF_INET, address, port), flags);
  }

  bind6(address: string, port: number, flags: number): number {
    return this.#bind(addressOf(AF_INET6, address, port), flags);
  }

  #bind(to: Address, flags: number): number {
    if ((flags & UV_UDP_IPV6ONLY) !== 0 && to.family !== AF_INET6) return uvNumber("EINVAL");
    return attempt(() => {
      this.#openSocket(to.family);
      const set = (name: string): void => call("setSocketOption", this.#fd, name, 1);
      if ((flags & UV_UDP_REUSEADDR) !== 0) set("SO_REUSEADDR");
      if ((flags & UV_UDP_REUSEPORT) !== 0) set("SO_REUSEPORT");
      if ((flags & UV_UDP_IPV6ONLY) !== 0) set("IPV6_V6ONLY");
      call("socketBind", this.#fd, to);
      this.#isBound = true;
    });
  }

  #openSocket(family: number): void {
    if (this.#fd >= 0) return;
    this.#fd = call("socketOpen", family, SOCK_DGRAM);
    this.#family = family;
  }

  /** libuv binds a socket that sends or receives without an address of its own. */
  #bindAny(family: number): void {
    if (this.#isBound) return;
    const status = this.#bind(
      { family, address: family === AF_INET6 ? "::" : "0.0.0.0", port: 0 },
      0,
    );
    if (status !== 0) throw new CallError("EINVAL");
  }

  connect(address: string, port: number): number {
    return this.#connect(addressOf(AF_INET, address, port));
  }

  connect6(address: string, port: number): number {
    return this.#connect(addressOf(AF_INET6, address, port));
  }

  #connect(to: Address): number {
    if (this.#isConnected) return uvNumber("EISCONN");
    return attempt(() => {
      this.#bindAny(to.family);
      call("socketConnect", this.#fd, to);
      this.#isConnected = true;
    });
  }

  disconnect(): number {
    if (!this.#isConnected) return uvNumber("ENOTCONN");
    return attempt(() => {
      call("socketConnect", this.#fd, null);
      this.#isConnected = false;
    });
  }

  send(req: SendWrap, list: ArrayBufferView[], count: number, ...rest: unknown[]): number {
    return this.#send(req, join(list, count), AF_INET, rest);
  }

  send6(req: SendWrap, list: ArrayBufferView[], count: number, ...rest: unknown[]): number {
    return this.#send(req, join(list, count), AF_INET6, rest);
  }

  /** Bytes and 1 more when it is sent; 0 when `req` will tell; else an errno's number. */
  #send(req: SendWrap, data: Uint8Array, family: number, rest: readonly unknown[]): number {
    if (this.isClosed) return uvNumber("EBADF");
    const isAddressed = rest.length > 1;
    const [port, address] = rest as [number, string];
    if (isAddressed === this.#isConnected)
      return uvNumber(isAddressed ? "EISCONN" : "EDESTADDRREQ");
    const to = isAddressed ? addressOf(family, address, port) : undefined;
    try {
      this.#bindAny(family);
      const isNow = this.#queue.length === 0 && optionValues.get("--test-udp-no-try-send") !== true;
      if (isNow) return this.#sendNow(data, to) + 1;
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== "EAGAIN") return uvNumberOf(error);
    }
    this.#queue.push({ req, data, to, isTold: rest[rest.length - 1] === true });
    if (this.#queue.length === 1) this.#sendLater();
    return 0;
  }

  #sendNow(data: Uint8Array, to: Address | undefined): number {
    return call("sendDatagram", this.#fd, data, to);
  }

  #sendLater(): void {
    this.#sending = request("waitWritable", [this.#fd], () => {
      this.#sending = undefined;
      const next = this.#queue[0];
      if (next === undefined) return;
      const status = attempt(() => this.#sendNow(next.data, next.to));
      if (status === uvNumber("EAGAIN")) return this.#sendLater();
      this.#queue.shift();
      if (this.#queue.length > 0) this.#sendLater();
      tell(next, status);
    });
  }

  recvStart(): number {
    if (this.isClosed) return uvNumber("EBADF");
    if (this.#receiving !== undefined) return 0;
    return attempt(() => {
      this.#bindAny(this.#family);
      this.#receiveNext();
    });
  }

  recvStop(): number {
    if (this.isClosed) return uvNumber("EBADF");
    if (this.#receiving !== undefined) cancel(this.#receiving);
    this.#receiving = undefined;
    return 0;
  }

  #receiveNext(): void {
    const id = request("waitReadable", [this.#fd], () => this.#receive(id), this.hasRef());
    this.#receiving = id;
  }

  #receive(id: number): void {
    for (let count = 0; count < TURN_DATAGRAMS && this.#receiving === id; count += 1) {
      if (!this.#receiveOne()) break;
    }
    if (this.#receiving === id && !this.isClosed) this.#receiveNext();
  }

  /** Whether there may be more. */
  #receiveOne(): boolean {
    try {
      const [data, from] = call("receiveDatagram", this.#fd);
      const bytes = toBuffer(data.slice());
      const sender: Out = {};
      fillAddress(sender, () => from);
      AsyncWrap.within(this, () => this.onmessage?.(bytes.length, this, bytes, sender));
      return true;
    } catch (error) {
      const status = uvNumberOf(error);
      if (status === uvNumber("EAGAIN")) return false;
      AsyncWrap.within(this, () => this.onmessage?.(status, this));
      return false;
    }
  }

  getsockname(out: Out): number {
    return fillAddress(out, () => call("socketName", this.#fd));
  }

  getpeername(out: Out): number {
    return fillAddress(out, () => call("socketPeer", this.#fd));
  }

  setBroadcast(isOn: number): number {
    return attempt(() => call("setSocketOption", this.#fd, "SO_BROADCAST", isOn ? 1 : 0));
  }

  setTTL(hops: number): number {
    if (hops < 1 || hops > 255) return uvNumber("EINVAL");
    const name = this.#family === AF_INET6 ? "IPV6_UNICAST_HOPS" : "IP_TTL";
    return attempt(() => call("setSocketOption", this.#fd, name, hops));
  }

  bufferSize(size: number, isReceive: boolean, context: Out): number | undefined {
    const name = isReceive ? "SO_RCVBUF" : "SO_SNDBUF";
    let answer = size;
    const status = attempt(() => {
      if (size > 0x7fff_ffff) throw new CallError("EINVAL");
      if (size === 0) answer = call("socketOption", this.#fd, name);
      else call("setSocketOption", this.#fd, name, size);
    });
    if (status === 0) return answer;
    fillProblem(context, status, isReceive ? "uv_recv_buffer_size" : "uv_send_buffer_size");
    return undefined;
  }

  getSendQueueSize(): number {
    return this.#queue.reduce((sum, { data }) => sum + data.length, 0);
  }

  getSendQueueCount(): number {
    return this.#queue.length;
  }

  protected override refChanged(isRef: boolean): void {
    if (this.#receiving !== undefined) setRef(this.#receiving, isRef);
  }

  protected override release(): void {
    if (this.#receiving !== undefined) cancel(this.#receiving);
    if (this.#sending !== undefined) cancel(this.#sending);
    this.#receiving = this.#sending = undefined;
    for (const one of this.#queue.splice(0)) soon(() => tell(one, uvNumber("ECANCELED")));
    if (this.#fd >= 0) attempt(() => call("close", this.#fd));
    this.#fd = -1;
  }
}

function tell({ req, data, isTold }: Waiting, status: number): void {
  if (isTold) AsyncWrap.within(req, () => req.oncomplete?.(status, data.length));
}

function join(list: ArrayBufferView[], count: number): Uint8Array {
  const parts = list.slice(0, count).map(bytesOf);
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** As node::Environment::CollectUVExceptionInfo. */
function fillProblem(context: Out, errno: number, syscall: string): void {
  const [code, message] = uvErrors.get(errno) ?? ["UNKNOWN", "unknown error"];
  Object.assign(context, { errno, code, message, syscall });
}

export const udpWrap = (): Binding => ({ ...values, UDP, SendWrap });
