// Turns a deserialised isolate into a running process.
import { inMainContext, resetAsyncIds } from "../bindings/async-wrap.ts";
import { shareBufferPrototype } from "../bindings/buffer.ts";
import { compileMain } from "../bindings/builtins.ts";
import { showStacksAsNode } from "../bindings/errors.ts";
import { dataCloneError } from "../bindings/messaging/per-context.ts";
import { setModuleCallbacks } from "../bindings/module-wrap.ts";
import { optionValues } from "../bindings/options.ts";
import { markLoopExit, startPerformance } from "../bindings/performance.ts";
import { markStart, setExecArgv, warnOfModule } from "../bindings/process-methods.ts";
import { listenForRejections } from "../bindings/task-queue.ts";
import { installWebAssembly } from "../bindings/wasm-web-api.ts";
import { call, connect } from "../channel.ts";
import { facts } from "../facts.ts";
import { drain, hooks } from "../loop/callback-scope.ts";
import { catchThrown, placeThrown } from "../loop/catch-thrown.ts";
import { isAlive, runLoop, setMonotonic, startClock } from "../loop/event-loop.ts";
import { native, setNative } from "../native.ts";
import { becomeThread } from "./become-thread.ts";
import type { Node } from "./bootstrap.ts";
import { cleanContext } from "./clean-context.ts";
import { readCommandLine } from "./command-line.ts";
import { makeEnvironment } from "./environment.ts";
import { mainScript } from "./main-script.ts";
import { takeRegion } from "./region.ts";
import { printError, reportFatal } from "./report-fatal.ts";
import { warnOfUnsettledAwait } from "./unsettled-await.ts";

/** Node's exit code. */
const UNSETTLED_AWAIT = 13;
/** For native code that runs while the C++ stack is nearly used up. */
const STACK_SLACK_BYTES = 256 * 1024;
/** V8's own default for JavaScript's stack. */
const STACK_BYTES = 984 * 1024;

/** Joins an isolate to its kernel, ahead of need. */
export function prepare(shared: SharedArrayBuffer, doorbell: () => void, functions: object): void {
  setNative(functions);
  connect(shared, doorbell);
  native["setSymbols"]?.(nodeSymbols());
  native["setContextCleanup"](cleanContext);
  native["setEmitWarning"](warnOfModule);
  setModuleCallbacks();
  showStacksAsNode();
  shareBufferPrototype();
  installWebAssembly();
  native["setDataCloneError"](dataCloneError);
  listenForRejections();
  resetAsyncIds();
}

let nodeSymbols: () => object = () => ({});

export function setNodeSymbols(symbols: () => object): void {
  nodeSymbols = symbols;
}

/** Runs the process to its end. */
export function start(node: Node): void {
  native["setStackLimit"](STACK_SLACK_BYTES, STACK_BYTES);
  native["limitHeap"]?.();
  const init = call("init");
  native["joinLedger"]?.(init.account);
  Object.assign(facts, {
    execPath: init.execPath,
    pid: init.pid,
    env: new Map(init.env),
    startedAtMs: init.now,
  });
  setMonotonic(() => Number(native["hrtime"]()) / 1e6);
  startClock();
  markStart();
  if (init.thread === undefined) startPerformance(init.now);
  else startPerformance(...(init.thread.origin as [number, number]));
  const { process } = node;
  process.env = makeEnvironment(process);
  hooks.process = process;
  hooks.uncaught = (error, isFromPromise) => uncaught(node, error, isFromPromise);
  const { parseEnv } = node.internalBinding("util");
  const { execArgv, rest, problem } = readCommandLine(init.argv.slice(1), parseEnv);
  if (problem !== undefined) return refuse(init.argv[0], problem);
  setExecArgv(execArgv);
  takeRegion();
  // The snapshot holds the defaults, and Node's test runner asks before Node itself refreshes them.
  node.require("internal/options").refreshOptions();
  if (execArgv.some((arg) => arg.includes("-autoselection"))) tellNet(node);
  facts.argv = [init.argv[0], ...rest];
  if (init.thread !== undefined) becomeThread(node, init.thread);
  runMain(node, init.thread === undefined ? mainScript(rest) : "internal/main/worker_thread");
  spin(node);
}

/** The snapshot holds `net` with the defaults of its options. */
function tellNet({ require: load }: Node): void {
  const net = load("net");
  const name = "--network-family-autoselection";
  net.setDefaultAutoSelectFamily(optionValues.get(name));
  net.setDefaultAutoSelectFamilyAttemptTimeout(optionValues.get(`${name}-attempt-timeout`));
}

function refuse(name: string, problem: string): void {
  for (const line of problem.split(/\n(?!$)/)) printError(`${name}: ${line}\n`);
  call("exit", 9);
}

function runMain({ require, process, internalBinding, primordials }: Node, id: string): void {
  inMainContext(() => compileMain(id)(process, require, internalBinding, primordials));
  drain();
}

/** Runs the loop, 'beforeExit' and 'exit', as node::SpinEventLoop. */
function spin(node: Node): void {
  const { process } = node;
  const emit = (name: string, code: number): void => {
    const thrown = catchThrown(() => process.emit(name, code));
    if (thrown !== undefined) hooks.uncaught(thrown.error, false);
    drain();
  };
  do {
    runLoop();
    emit("beforeExit", exitCodeOf(node, 0));
  } while (isAlive());
  markLoopExit();
  process._exiting = true;
  let code = exitCodeOf(node, 0);
  if (code === 0 && warnOfUnsettledAwait(node)) {
    code = UNSETTLED_AWAIT;
    process.exitCode = code;
  }
  emit("exit", code);
  call("exit", exitCodeOf(node, code));
}

/** What process.exitCode says, if it was set. */
function exitCodeOf({ process, internalBinding }: Node, otherwise: number): number {
  const { privateSymbols, constants } = internalBinding("util");
  const info: Int32Array = process[privateSymbols.exit_info_private_symbol];
  return info[constants.kHasExitCode] === 1 ? (info[constants.kExitCode] ?? 0) : otherwise;
}

/** As node::errors::TriggerUncaughtException. */
function uncaught(node: Node, error: unknown, isFromPromise: boolean): void {
  const { process } = node;
  let isHandled: unknown = false;
  if (typeof process._fatalException !== "function") {
    reportFatal(node, error);
    call("exit", 6);
  }
  const place = placeThrown(error);
  const second = catchThrown(() => {
    isHandled = process._fatalException(error, isFromPromise);
  });
  if (second !== undefined) {
    reportFatal(node, second.error);
    call("exit", 7);
  }
  if (isHandled !== false) return;
  reportFatal(node, error, place);
  call("exit", exitCodeOf(node, 1));
}
