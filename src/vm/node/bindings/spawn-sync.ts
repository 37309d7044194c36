import { call } from "../channel.ts";
import { uvNumber, uvNumberOf } from "../errors.ts";
import type { Binding } from "./base.ts";
import { bytesOf } from "./buffer.ts";
import { loaders } from "./builtins.ts";
import { childWish } from "./child-wish.ts";

export const spawnSync = (): Binding => ({ spawn });

/** As node's SyncProcessRunner: one call runs the child to its end. */
function spawn(options: Record<string, any>): Record<string, unknown> {
  const stdio: { type: string; input?: ArrayBufferView }[] = options["stdio"];
  const inputs = stdio.flatMap(({ input }, fd) =>
    input === undefined || input === null ? [] : [[fd, bytesOf(input)]],
  );
  let result: Record<string, any>;
  try {
    result = call(
      "spawnSync",
      childWish({ __proto__: null, ...options, isDetached: options["detached"] === true } as never),
      {
        timeout: finite(options["timeout"]),
        maxBuffer: finite(options["maxBuffer"]),
        killSignal: options["killSignal"] ?? 0,
        inputs: inputs as never,
      },
    );
  } catch (error) {
    return { error: uvNumberOf(error), status: null, signal: null, output: null, pid: 0 };
  }
  const { pid, failure, status, signal, output } = result;
  return {
    ...(failure === undefined ? {} : { error: uvNumber(failure) }),
    status: status ?? null,
    signal: signal ?? null,
    output: output === undefined ? null : outputOf(stdio, output),
    pid,
  };
}

/** A buffer for each pipe that the child writes to. */
function outputOf(stdio: readonly unknown[], output: readonly [number, Uint8Array][]): unknown[] {
  const { Buffer } = loaders.require("buffer");
  const buffers = new Map(output);
  return stdio.map((_, fd) => {
    const bytes = buffers.get(fd);
    return bytes === undefined ? null : Buffer.from(bytes);
  });
}

/** 0 stands for "without a limit". */
function finite(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
