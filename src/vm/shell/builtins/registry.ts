import type { Shell } from "../state/shell.ts";
import { alias, unalias } from "./alias.ts";
import { bind } from "./bind.ts";
import type { Builtin } from "./builtin.ts";
import { caller } from "./caller.ts";
import { cd } from "./cd.ts";
import { builtin, command, exec, type } from "./command.ts";
import { compgen, complete, compopt } from "./complete.ts";
import { exit, leaveLoop, returnFrom, shift } from "./control.ts";
import { dirs, popd, pushd } from "./directory-stack.ts";
import { echo } from "./echo.ts";
import { enable } from "./enable.ts";
import { evaluate, source } from "./eval.ts";
import { fc } from "./fc.ts";
import { getopts } from "./getopts.ts";
import { hash } from "./hash.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { bg, disown, fg, jobs } from "./jobs.ts";
import { kill } from "./kill.ts";
import { logout, suspend } from "./leave-shell.ts";
import { letBuiltin } from "./let.ts";
import { mapfile } from "./mapfile.ts";
import { fail, succeed } from "./nothing.ts";
import { printf } from "./printf.ts";
import { pwd } from "./pwd.ts";
import { read } from "./read.ts";
import { set } from "./set.ts";
import { shopt } from "./shopt.ts";
import { test } from "./test.ts";
import { times } from "./times.ts";
import { trap } from "./trap.ts";
import { ulimit } from "./ulimit.ts";
import { umask } from "./umask.ts";
import { unset } from "./unset.ts";
import { wait } from "./wait.ts";

/** `declare` and its kin are not here: they take assignments, see `run/declare-variables.ts`. */
const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [":", succeed],
  [".", source],
  ["[", test],
  ["alias", alias],
  ["bg", bg],
  ["bind", bind],
  ["break", leaveLoop],
  ["builtin", builtin],
  ["caller", caller],
  ["cd", cd],
  ["command", command],
  ["compgen", compgen],
  ["complete", complete],
  ["compopt", compopt],
  ["continue", leaveLoop],
  ["dirs", dirs],
  ["disown", disown],
  ["echo", echo],
  ["enable", enable],
  ["eval", evaluate],
  ["exec", exec],
  ["exit", exit],
  ["false", fail],
  ["fc", fc],
  ["fg", fg],
  ["getopts", getopts],
  ["hash", hash],
  ["help", help],
  ["history", history],
  ["jobs", jobs],
  ["kill", kill],
  ["let", letBuiltin],
  ["logout", logout],
  ["mapfile", mapfile],
  ["popd", popd],
  ["printf", printf],
  ["pushd", pushd],
  ["pwd", pwd],
  ["read", read],
  ["readarray", mapfile],
  ["return", returnFrom],
  ["set", set],
  ["shift", shift],
  ["shopt", shopt],
  ["source", source],
  ["suspend", suspend],
  ["test", test],
  ["times", times],
  ["trap", trap],
  ["true", succeed],
  ["type", type],
  ["ulimit", ulimit],
  ["umask", umask],
  ["unalias", unalias],
  ["unset", unset],
  ["wait", wait],
]);

export function findBuiltin(name: string): Builtin | undefined {
  return builtins.get(name);
}

/** As `findBuiltin`, without those that `enable -n` has turned off. */
export function findEnabled(shell: Shell, name: string): Builtin | undefined {
  return shell.disabledBuiltins.has(name) ? undefined : builtins.get(name);
}
