// One operation of the file system in Node's three forms: waited for, with a request whose oncomplete
// is called, or as a promise.
import { CallError, call } from "../../channel.ts";
import { uvException, uvNumber } from "../../errors.ts";
import { request } from "../../requests.ts";
import { staticsOf } from "../../statics.ts";
import type { Packed } from "../../wire/pack.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { textOf } from "./encode-name.ts";
import { withoutFrames } from "./error-frames.ts";

export type Any = any;

export const kUsePromises: symbol = staticsOf("fs")["kUsePromises"];
/** The intrinsic one: guests may replace the global. */
const IntrinsicPromise = Promise;

/** What to call, and what its error says. */
export interface Operation {
  readonly call: string;
  readonly args: readonly Packed[];
  readonly syscall: string;
  readonly path?: unknown;
  readonly dest?: unknown;
  /** Turns the kernel's answer into Node's. */
  readonly result?: ((value: Any, form: "sync" | "callback" | "promise") => unknown) | undefined;
}

export class FSReqCallback extends AsyncWrap {
  declare oncomplete?: (error: unknown, value?: unknown) => void;

  constructor(_isBigint?: boolean) {
    super("FSREQCALLBACK");
  }

  /** What has begun goes on to its end, as in a thread of libuv's. */
  cancel(): void {}
}

/** What a promise of the file system is to async_hooks. */
type Provider = "FSREQPROMISE" | "FILEHANDLECLOSEREQ";

/** Runs an operation in the form that `req` asks for. */
export function perform(req: unknown, operation: Operation): Any {
  if (req === undefined) return performNow(operation);
  if (req === kUsePromises) return performAsPromise(operation);
  if (!(req instanceof FSReqCallback)) throw new TypeError("Illegal invocation");
  request(operation.call, operation.args, (error, value) => {
    if (error !== undefined) return reject(req, exceptionOf(operation, error));
    complete(req, finish(operation, value, "callback"));
  });
  return undefined;
}

/** Tells a request its end. */
export function complete(req: FSReqCallback, value: unknown): void {
  endWith(req, () => {
    if (value === undefined) req.oncomplete?.(null);
    else req.oncomplete?.(null, value);
  });
}

export function reject(req: FSReqCallback, error: unknown): void {
  endWith(req, () => req.oncomplete?.(error));
}

/** The last callback of a request, which is gone then. */
export function endWith(wrap: AsyncWrap, run: () => void): void {
  AsyncWrap.within(wrap, run);
  AsyncWrap.destroyed(wrap);
}

function performNow(operation: Operation): unknown {
  try {
    return finish(operation, call(operation.call, ...operation.args), "sync");
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw syncExceptionOf(operation, error);
  }
}

function performAsPromise(operation: Operation): Promise<unknown> {
  return promised((resolve, fail) => {
    request(operation.call, operation.args, (error, value) => {
      if (error !== undefined) fail(exceptionOf(operation, error));
      else resolve(finish(operation, value, "promise"));
    });
  });
}

/** A promise of the event loop: it settles as the callback of a request of its own. */
export function promised(
  start: (resolve: (value: unknown) => void, fail: (error: Error) => void) => void,
  provider: Provider = "FSREQPROMISE",
): Promise<unknown> {
  const wrap = new AsyncWrap(provider);
  return new IntrinsicPromise((resolve, fail) => {
    start(
      (value) => endWith(wrap, () => resolve(value)),
      (error) => endWith(wrap, () => fail(error)),
    );
  });
}

function finish(
  { result }: Operation,
  value: unknown,
  form: "sync" | "callback" | "promise",
): unknown {
  return result === undefined ? value : result(value, form);
}

/** The error of an operation that nobody waits for: it has no stack. */
export function exceptionOf(
  operation: Pick<Operation, "syscall" | "path" | "dest">,
  error: CallError,
): Error {
  return withoutFrames(() => syncExceptionOf(operation, error));
}

export function syncExceptionOf(
  { syscall, path, dest }: Pick<Operation, "syscall" | "path" | "dest">,
  { code, reason }: CallError,
): Error {
  return uvException(code, { syscall, path: shown(path), dest: shown(dest), reason });
}

/** Tells lib of a failure in the object it gave for that. */
export function report(context: Any, syscall: string, error: unknown): undefined {
  if (!(error instanceof CallError)) throw error;
  context.errno = uvNumber(error.code);
  context.syscall = syscall;
  return undefined;
}

function shown(path: unknown): string | undefined {
  if (path === undefined || typeof path === "string") return path;
  return path instanceof Uint8Array ? textOf(path) : undefined;
}
