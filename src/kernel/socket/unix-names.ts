import { KernelError } from "../abi/kernel-error.ts";
import { AF_UNIX } from "../abi/socket.ts";
import type { Inode } from "../vfs/file-system.ts";
import type { Place } from "../vfs/place.ts";
import type { SocketName } from "./socket-name.ts";
import type { StreamTransport } from "./stream-transport.ts";

/** Names that Linux gives of itself: five hexadecimal digits, see unix(7). */
const AUTOMATIC_NAMES = 0x10_0000;

/** Who is at which name of a unix socket: an inode, or an abstract name. */
export class UnixNames {
  readonly #files = new Map<Inode, StreamTransport>();
  readonly #abstract = new Map<string, StreamTransport>();
  #lastAutomatic = 0;

  /** Binds to a socket's file, which must be new, and holds its inode. */
  bindFile({ inode, mount }: Place, path: string, owner: StreamTransport): void {
    mount.fileSystem.retain(inode);
    this.#files.set(inode, owner);
    owner.bind(
      nameAt(path, () => {
        this.#files.delete(inode);
        mount.fileSystem.release(inode);
      }),
    );
  }

  /** EADDRINUSE. */
  bindAbstract(path: string, owner: StreamTransport): void {
    if (this.#abstract.has(path)) throw new KernelError("EADDRINUSE", path);
    this.#abstract.set(path, owner);
    owner.bind(nameAt(path, () => this.#abstract.delete(path)));
  }

  /** Gives a name of Linux's own kind. */
  bindAutomatic(owner: StreamTransport): void {
    let path: string;
    do {
      this.#lastAutomatic = (this.#lastAutomatic + 1) % AUTOMATIC_NAMES;
      path = `\0${this.#lastAutomatic.toString(16).padStart(5, "0")}`;
    } while (this.#abstract.has(path));
    this.bindAbstract(path, owner);
  }

  findFile(inode: Inode): StreamTransport | undefined {
    return this.#files.get(inode);
  }

  findAbstract(path: string): StreamTransport | undefined {
    return this.#abstract.get(path);
  }
}

function nameAt(path: string, release: () => void): SocketName {
  return {
    address: { family: AF_UNIX, path },
    endpoint: undefined,
    isAutomatic: false,
    listen: () => undefined,
    unlisten: () => undefined,
    release,
  };
}
