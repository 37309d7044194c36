// Errors of Node's C++ show no frames of it: those thrown begin where it was called, others have none.

const { captureStackTrace } = Error;

/** Makes an error that has no stack but its first line. */
export function withoutFrames(make: () => Error): Error {
  const { stackTraceLimit } = Error;
  setLimit(0);
  try {
    return make();
  } finally {
    setLimit(stackTraceLimit);
  }
}

/** A guest may have made it read-only; then errors show what they show. */
function setLimit(limit: number): void {
  Reflect.set(Error, "stackTraceLimit", limit);
}

/** The same functions, but what they throw shows the frames from their caller on. */
export function throwingAsNode<Functions extends Record<string, unknown>>(
  functions: Functions,
): Functions {
  const all: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(functions)) {
    all[name] = isPlainFunction(value) ? wrap(name, value) : value;
  }
  return all as Functions;
}

type AnyFunction = (...args: unknown[]) => unknown;

function isPlainFunction(value: unknown): value is AnyFunction {
  return typeof value === "function" && value.prototype === undefined;
}

function wrap(name: string, run: AnyFunction): AnyFunction {
  const shown = {
    [name](...args: unknown[]): unknown {
      try {
        return run(...args);
      } catch (error) {
        if (error instanceof Error) captureStackTrace(error, shown);
        throw error;
      }
    },
  }[name];
  return shown as AnyFunction;
}
