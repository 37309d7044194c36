/** `close`, `fflush` and `system`. */
import { type BuiltinCompiler, plain } from "./builtin.ts";
import type { Runtime } from "./runtime.ts";

const close = plain((rt, [name, part]) => ({
  waits: true,
  value: () => closeNamed(rt, name?.text() ?? "", part?.text()),
}));

async function closeNamed(rt: Runtime, name: string, part: string | undefined): Promise<number> {
  const status = await rt.files.close(name, part);
  if (status === undefined) rt.setErrno("close of redirection that was never opened");
  return status ?? -1;
}

const fflush = plain((rt, [name]) => ({
  waits: true,
  value: () => flush(rt, name?.text()),
}));

async function flush(rt: Runtime, name: string | undefined): Promise<number> {
  if (name === undefined || name === "") {
    await rt.files.flushAll();
    return 0;
  }
  if (await rt.files.flush(name)) return 0;
  await rt.warnHere(`fflush: \`${name}' is not an open file, pipe or co-process`);
  return -1;
}

const system = plain((rt, [command]) => ({
  waits: true,
  value: () => rt.files.run(command?.text() ?? ""),
}));

export const fileBuiltins: readonly (readonly [string, BuiltinCompiler])[] = [
  ["close", close],
  ["fflush", fflush],
  ["system", system],
];
