import { uvNumber } from "../../errors.ts";

interface About {
  readonly syscall: string;
  readonly path: string;
  readonly words: string;
}

/** As node::ErrnoException: its number is positive, and its words are the C library's. */
export function errnoError(code: string, { syscall, path, words }: About): Error {
  const error: Error & Record<string, unknown> = Object.assign(
    new Error(`${code}, ${words} '${path}'`),
  );
  error["errno"] = -uvNumber(code);
  error["code"] = code;
  error["path"] = path;
  error["syscall"] = syscall;
  return error;
}
