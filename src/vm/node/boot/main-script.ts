// Which of Node's main scripts a command line asks for, as node::StartExecution.
import { optionValues } from "../bindings/options.ts";
import { call } from "../channel.ts";
import { encodeUtf8 } from "../native.ts";
import { library } from "../statics.ts";
import { runTask } from "./run-task.ts";

/** Where there is nothing to run, the process ends here. */
export function mainScript(rest: readonly string[]): string {
  const is = (name: string): boolean => optionValues.get(name) === true;
  if (is("--version")) return print(`${library.version}\n`);
  const task = optionValues.get("--run");
  if (typeof task === "string" && task !== "") return call("exit", runTask(task, rest));
  const [first] = rest;
  if (first === "inspect") return "internal/main/inspect";
  if (is("--help")) return "internal/main/print_help";
  if (is("[has_eval_string]") && !is("--interactive")) return "internal/main/eval_string";
  if (is("--check")) return "internal/main/check_syntax";
  if (is("--test")) return "internal/main/test_runner";
  if (is("--watch")) return "internal/main/watch_mode";
  if (first !== undefined && first !== "" && first !== "-") return "internal/main/run_main_module";
  if (is("--interactive") || call("isTerminal", 0)) return "internal/main/repl";
  return "internal/main/eval_stdin";
}

function print(text: string): string {
  call("writeAll", 1, encodeUtf8(text));
  return call("exit", 0);
}
