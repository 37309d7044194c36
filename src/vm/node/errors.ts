// The errors that Node's C++ would throw.
import { CallError } from "./channel.ts";
import { staticsOf } from "./statics.ts";

/** Errno names and words by libuv's numbers. */
export const uvErrors: ReadonlyMap<number, readonly [string, string]> =
  staticsOf("uv")["names"] ?? new Map();
const numbers = new Map([...uvErrors].map(([number, [name]]) => [name, number]));

/** libuv's number of an errno's name; EIO's for one it does not have. */
export function uvNumber(code: string): number {
  return numbers.get(code) ?? numbers.get("EIO") ?? -5;
}

/** libuv's number for whatever a call threw; other errors go on. */
export function uvNumberOf(error: unknown): number {
  if (error instanceof CallError) return uvNumber(error.code);
  throw error;
}

interface Where {
  readonly syscall: string;
  /** In the place of the errno's own words. */
  readonly message?: string | undefined;
  readonly path?: string | undefined;
  readonly dest?: string | undefined;
  /** Which rule or limit of the VM it comes from. Node has no such words. */
  readonly reason?: string | undefined;
}

/** As node::UVException. */
export function uvException(code: string, where: Where): Error {
  const { syscall, path, dest, message: given, reason } = where;
  const errno = uvNumber(code);
  const words = given ?? uvErrors.get(errno)?.[1] ?? "unknown error";
  let message = `${code}: ${words}${reason === undefined ? "" : ` (${reason})`}, ${syscall}`;
  if (path !== undefined) message += ` '${path}'`;
  if (dest !== undefined) message += ` -> '${dest}'`;
  const error: Error & Record<string, unknown> = Object.assign(new Error(message));
  error["errno"] = errno;
  error["code"] = code;
  error["syscall"] = syscall;
  if (path !== undefined) error["path"] = path;
  if (dest !== undefined) error["dest"] = dest;
  return error;
}

/** As node's ERR_* errors thrown from C++. */
export function codedError(Kind: ErrorConstructor, code: string, message: string): Error {
  const error: Error & { code?: string } = new Kind(message);
  error.code = code;
  return error;
}

/** As node::ErrnoException, for what a call threw; other errors as they are. */
export function errnoException(thrown: unknown, syscall: string, path?: string): unknown {
  if (!(thrown instanceof CallError)) return thrown;
  const errno = uvNumber(thrown.code);
  const words = uvErrors.get(errno)?.[1] ?? "unknown error";
  const message = `${thrown.code}, ${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const shown = path === undefined ? message : `${message} '${path}'`;
  return Object.assign(new Error(shown), {
    errno: -errno,
    code: thrown.code,
    syscall,
    ...(path === undefined ? {} : { path }),
  });
}
