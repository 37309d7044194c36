import { codedError, uvException } from "../../errors.ts";
import { errnoError } from "./errno-error.ts";
import { errnoWords } from "./errno-words.ts";

/**
 * The error for why a tree was not copied: ["errno", errno, path], ["libuv", errno, path, call]
 * or ["coded", code, words].
 */
export function copyFailure([kind, code, about, syscall]: readonly string[]): Error {
  if (kind === "coded") return codedError(Error, code ?? "", about ?? "");
  if (kind === "libuv")
    return uvException(code ?? "EIO", { syscall: syscall ?? "cp", path: about });
  return stdError(code ?? "EIO", "cp", about ?? "");
}

/** As Environment::ThrowStdErrException. */
export function stdError(code: string, syscall: string, path: string): Error {
  return errnoError(code, { syscall, path, words: errnoWords(code) });
}
