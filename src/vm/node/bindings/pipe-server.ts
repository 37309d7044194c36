// Pipes as unix sockets: their names, and the connections between them.
import { call } from "../channel.ts";
import { uvNumber } from "../errors.ts";
import { encodeUtf8 } from "../native.ts";
import { attempt, ConnectionHandle, type ConnectRequest } from "./connection-handle.ts";

const AF_UNIX = 1;
const SOCK_STREAM = 1;
/** The bytes of sun_path, see unix(7). */
const PATH_BYTES = 108;

export abstract class SocketPipe extends ConnectionHandle {
  /** The file that goes with the server. */
  #path: string | undefined;

  bind(path: string): number {
    if (this.fd >= 0 || isTooLong(path)) return uvNumber("EINVAL");
    const status = attempt(() => {
      const fd = call("socketOpen", AF_UNIX, SOCK_STREAM);
      const failed = attempt(() => call("socketBind", fd, { family: AF_UNIX, path }));
      if (failed === 0) this.fd = fd;
      else call("close", fd);
      this.delayedError = failed;
    });
    const answer = status === 0 ? this.delayedError : status;
    this.delayedError = 0;
    if (answer === 0 && !path.startsWith("\0")) this.#path = path;
    // As libuv, so that it is the same on Windows.
    return answer === uvNumber("ENOENT") ? uvNumber("EACCES") : answer;
  }

  listen(backlog: number): number {
    if (this.fd < 0) return uvNumber("EINVAL");
    return this.listenNow(backlog);
  }

  connect(req: ConnectRequest, path: string): number {
    if (isTooLong(path)) return uvNumber("EINVAL");
    const status = attempt(() => {
      if (this.fd < 0) this.fd = call("socketOpen", AF_UNIX, SOCK_STREAM);
    });
    return status === 0 ? this.connectNow(req, { family: AF_UNIX, path }, () => false) : status;
  }

  /** Lets everybody read or write (UV_READABLE, UV_WRITABLE) the socket's file. */
  fchmod(mode: number): number {
    if (this.fd < 0) return uvNumber("EBADF");
    if (mode < 1 || mode > 3) return uvNumber("EINVAL");
    return attempt(() => call("socketChmod", this.fd, mode));
  }

  protected override release(): void {
    const path = this.#path;
    this.#path = undefined;
    if (path !== undefined) attempt(() => call("unlink", path));
    super.release();
  }
}

function isTooLong(path: string): boolean {
  return path === "" || encodeUtf8(path).length > PATH_BYTES;
}
