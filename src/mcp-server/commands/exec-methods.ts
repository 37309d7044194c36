// The server's side of `agentos-mcp exec` and `shell`.
import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import type { Exec, SpawnOptions, Vm, Vms } from "../../vm/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ControlCall, ControlInput } from "../control/methods.ts";
import { ExecLoss } from "../exec-loss.ts";
import type { ExecEnded, ExecStarted } from "./exec-protocol.ts";

const size = { cols: z.number(), rows: z.number() };

const execParams = z.object({
  vm: z.string(),
  hasCommand: z.boolean(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  as: z.enum(["user", "root"]),
  timeoutMs: z.number().optional(),
  pty: z.object(size).optional(),
  hasStdin: z.boolean(),
});

const signalParams = z.object({ vm: z.string(), exec: z.string(), signal: z.string() });
const resizeParams = z.object({ vm: z.string(), exec: z.string(), ...size });

/** Runs a command for its caller, and ends it when the caller cancels or leaves. */
export async function runExec(params: FrameHeader, call: ControlCall): Promise<ExecEnded> {
  const { vm: name, hasCommand, cwd, env, timeoutMs, pty, ...rest } = execParams.parse(params);
  const input = call.input[Symbol.asyncIterator]();
  const command = hasCommand ? await readCommand(input) : ["/bin/bash"];
  const { vm, isNew } = await findOrCreate(await call.vms(), name);
  const options: SpawnOptions = {
    ...rest,
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(pty === undefined ? {} : { pty }),
  };
  call.signal.throwIfAborted();
  const exec = await vm.spawn(command, options);
  const output = sendOutput(exec, call);
  const loss = new ExecLoss(vm);
  const notice = vm.takeNotice();
  const started: ExecStarted = {
    kind: "started",
    exec: exec.id,
    isNewVm: isNew,
    ...(notice === undefined ? {} : { notice }),
  };
  try {
    await call.send({ ...started });
    const fed = feed(exec, input);
    await exec.wait(undefined, call.signal);
    if (!call.signal.aborted) await output.sent();
    fed.throwIfFailed();
  } finally {
    output.stop();
    loss.stop();
    // A caller that leaves takes its command along, whatever made us fail.
    if (exec.isRunning) await exec.stop();
  }
  loss.check(exec);
  return endOf(exec);
}

export async function signalExec(params: FrameHeader, call: ControlCall): Promise<object> {
  const { vm, exec, signal } = signalParams.parse(params);
  await (await call.vms()).get(vm).getExec(exec).signal(signal);
  return {};
}

export async function resizeExec(params: FrameHeader, call: ControlCall): Promise<object> {
  const { vm, exec, cols, rows } = resizeParams.parse(params);
  await (await call.vms()).get(vm).getExec(exec).resize(cols, rows);
  return {};
}

async function readCommand(input: AsyncIterator<ControlInput>): Promise<string> {
  const first = await input.next();
  if (first.done === true) throw new Error("A call of exec sends its command first.");
  return Buffer.from(first.value.body).toString("utf8");
}

async function findOrCreate(vms: Vms, name: string): Promise<{ vm: Vm; isNew: boolean }> {
  const vm = vms.find(name);
  if (vm !== undefined) return { vm, isNew: false };
  try {
    return { vm: await vms.create({ name }), isNew: true };
  } catch (error) {
    // Somebody else has made it in the meantime.
    if (!(error instanceof HostError) || error.code !== "VM_EXISTS") throw error;
    return { vm: vms.get(name), isNew: false };
  }
}

/** Sends output as it comes; while the caller does not read, the command has to wait. */
function sendOutput(exec: Exec, call: ControlCall): { sent(): Promise<void>; stop(): void } {
  let sending: Promise<void> = Promise.resolve();
  const stop = exec.onOutput((stream, bytes) => {
    const copy = bytes.slice();
    sending = sending.then(() => call.send({ kind: stream }, copy));
    // A caller that has left takes no output: what comes until its command is stopped is dropped.
    return sending.catch(() => undefined);
  });
  return { stop, sent: () => sending.catch(() => undefined) };
}

function feed(exec: Exec, input: AsyncIterator<ControlInput>): { throwIfFailed(): void } {
  let failure: unknown;
  const give = async (): Promise<void> => {
    for (let next = await input.next(); next.done !== true; next = await input.next()) {
      await exec.write(next.value.body);
    }
    await exec.closeStdin();
  };
  give().catch((error: unknown) => {
    // A command need not read its input.
    if (exec.isRunning) failure = error;
  });
  return {
    throwIfFailed() {
      if (failure !== undefined) throw failure;
    },
  };
}

function endOf(exec: Exec): ExecEnded {
  const { state, exitCode = 0 } = exec.status();
  if (state === "lost" || state === "running") throw new Error("The command has no end.");
  return { state, exitCode };
}
