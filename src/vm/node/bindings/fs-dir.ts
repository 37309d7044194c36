// internalBinding('fs_dir'): open directories.
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { pathOf } from "./fs/check-arguments.ts";
import { encodeName } from "./fs/encode-name.ts";
import { throwingAsNode } from "./fs/error-frames.ts";
import { type Any, perform } from "./fs/operation.ts";

/** Entries of one answer at most, whatever lib's bufferSize says. */
const ENTRY_LIMIT = 4096;

class DirHandle extends AsyncWrap {
  readonly #fd: number;

  constructor(fd: number) {
    super("DIRHANDLE");
    this.#fd = fd;
  }

  read(encoding: Any, bufferSize: number, req?: Any): Any {
    return perform(req, {
      call: "readOpened",
      args: [this.#fd, Math.min(bufferSize, ENTRY_LIMIT)],
      syscall: "readdir",
      result: (entries: (string | Uint8Array | number)[]) => {
        if (entries.length === 0) return null;
        return entries.map((entry) =>
          typeof entry === "number" ? entry : encodeName(entry, encoding),
        );
      },
    });
  }

  close(req?: Any): Any {
    return perform(req, { call: "close", args: [this.#fd], syscall: "closedir" });
  }
}

const result = (fd: number): DirHandle => new DirHandle(fd);

export const fsDir = (): Binding => ({
  ...staticsOf("fs_dir"),
  ...throwingAsNode({
    opendir: (path: Any, _encoding: Any, req: Any) =>
      perform(req, { call: "opendir", args: [pathOf(path)], syscall: "opendir", path, result }),
    opendirSync: (path: Any) =>
      perform(undefined, { call: "opendir", args: [pathOf(path)], syscall: "opendir", result }),
  }),
  DirHandle,
});
