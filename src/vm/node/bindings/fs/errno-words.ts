import { uvErrors, uvNumber } from "../../errors.ts";

/** The C library's words where they are not libuv's with a capital letter. */
const words: Readonly<Record<string, string>> = {
  EEXIST: "File exists",
  EISDIR: "Is a directory",
  ENOTSUP: "Operation not supported",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  EIO: "Input/output error",
  EBUSY: "Device or resource busy",
  EXDEV: "Invalid cross-device link",
  ENOMEM: "Cannot allocate memory",
};

/** strerror(3)'s words. */
export function errnoWords(code: string): string {
  const known = words[code];
  if (known !== undefined) return known;
  const libuv = uvErrors.get(uvNumber(code))?.[1] ?? "Unknown error";
  return libuv.charAt(0).toUpperCase() + libuv.slice(1);
}
