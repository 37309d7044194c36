// Runs Node's own bootstrap scripts, as src/node.cc does, up to where a process would start. The state
// after this is what the snapshot holds.

import { hideAgentosModule } from "../agentos/agentos-module.ts";
import { getInternalBinding } from "../bindings/binding-list.ts";
import { loaders } from "../bindings/builtins.ts";
import { setPerContext } from "../bindings/messaging.ts";
import { setRequire } from "../bindings/util.ts";
import { compiled, library, staticsOf } from "../statics.ts";

type Any = any;

export interface Node {
  readonly process: Any;
  readonly require: (id: string) => Any;
  readonly internalBinding: (name: string) => Any;
  readonly primordials: Any;
}

function run(id: string, args: readonly unknown[]): Any {
  const script = compiled[id];
  if (typeof script !== "function") throw new Error(`no ${id} in the snapshot`);
  return script(...args);
}

export function bootstrap(): Node {
  const primordials = {};
  const perContext = {};
  const { privateSymbols } = staticsOf("util");
  for (const id of ["primordials", "domexception", "messageport"]) {
    const args = [perContext, primordials, privateSymbols, staticsOf("symbols")];
    run(`internal/per_context/${id}`, args);
  }
  setPerContext(perContext);
  const process = makeProcess(privateSymbols);
  run("internal/bootstrap/realm", [
    process,
    () => {
      throw new Error("No such binding");
    },
    getInternalBinding,
    primordials,
  ]);
  const { require, internalBinding } = loaders;
  setRequire(require);
  const node = { process, require, internalBinding, primordials };
  hideAgentosModule(node.require("internal/bootstrap/realm").BuiltinModule);
  const rest = [process, require, internalBinding, primordials];
  run("internal/bootstrap/node", rest);
  run("internal/bootstrap/web/exposed-wildcard", rest);
  run("internal/bootstrap/web/exposed-window-or-worker", rest);
  run("internal/bootstrap/switches/does_own_process_state", rest);
  run("internal/bootstrap/switches/is_main_thread", rest);
  for (const id of preloaded) require(id);
  return node;
}

/** What nearly every process loads before its own code runs; none of them looks at options or files. */
const preloaded = [
  "internal/fs/sync_write_stream",
  "internal/modules/esm/loader",
  "internal/modules/typescript",
  "internal/vm/module",
  "module",
  "net",
  "stream",
  "tty",
];

/** The object that node::CreateProcessObject makes. */
function makeProcess(privateSymbols: Record<string, symbol>): Any {
  const Process = { process: function process() {} }.process;
  const process = new (Process as unknown as new () => Any)();
  const hidden = (name: string | symbol, value: unknown): void => {
    Object.defineProperty(process, name, {
      value,
      enumerable: false,
      configurable: true,
      writable: true,
    });
  };
  hidden(privateSymbols["exit_info_private_symbol"] ?? "", new Int32Array(3));
  process.version = library.version;
  process.versions = library.versions;
  process.arch = "x64";
  process.platform = "linux";
  process.release = { ...library.release };
  process.env = {};
  process.argv = [];
  process.execArgv = [];
  process.pid = 0;
  process.execPath = "/usr/bin/node";
  return process;
}
