import { type Errno, errnoWords } from "./errno.ts";

/**
 * A guest's mistake or a limit met: the only error a system call lets out.
 *
 * `subject` is the path, pid or limit it is about; `reason` says more than the errno can (which
 * policy rule, which limit and how to raise it) and is safe to show to the guest.
 */
export class KernelError extends Error {
  readonly errno: Errno;
  readonly subject: string | undefined;
  readonly reason: string | undefined;

  /** Without a stack: failures are everyday business, and finding out where one was made takes longer than most calls. */
  constructor(errno: Errno, subject?: string, reason?: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(describe(errno, subject, reason));
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "KernelError";
    this.errno = errno;
    this.subject = subject;
    this.reason = reason;
  }

  /** What a program prints behind its name: `subject: words`, and the reason where there is one. */
  get words(): string {
    const { errno, subject, reason } = this;
    const text = subject === undefined ? errnoWords(errno) : `${subject}: ${errnoWords(errno)}`;
    return reason === undefined ? text : `${text} (${reason})`;
  }
}

/** Narrows a caught value to a KernelError, of one errno where given. */
export function isKernelError(error: unknown, errno?: Errno): error is KernelError {
  return error instanceof KernelError && (errno === undefined || error.errno === errno);
}

function describe(errno: Errno, subject?: string, reason?: string): string {
  const head = subject === undefined ? errno : `${errno}: ${subject}`;
  const words = `${head}: ${errnoWords(errno)}`;
  return reason === undefined ? words : `${words} (${reason})`;
}
