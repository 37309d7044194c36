import { alias, unalias } from "./alias.ts";
import type { Builtin } from "./builtin.ts";
import { cd } from "./cd.ts";
import { builtin, command, exec, hash, type } from "./command.ts";
import { exit, leaveLoop, returnFrom, shift } from "./control.ts";
import { dirs, popd, pushd } from "./directory-stack.ts";
import { echo } from "./echo.ts";
import { evaluate, source } from "./eval.ts";
import { getopts } from "./getopts.ts";
import { bg, disown, fg, jobs, wait } from "./jobs.ts";
import { kill } from "./kill.ts";
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

/** `declare` and its kin are not here: they take assignments, see `run/declare-variables.ts`. */
const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [":", succeed],
  [".", source],
  ["[", test],
  ["alias", alias],
  ["bg", bg],
  ["break", leaveLoop],
  ["builtin", builtin],
  ["cd", cd],
  ["command", command],
  ["continue", leaveLoop],
  ["dirs", dirs],
  ["disown", disown],
  ["echo", echo],
  ["eval", evaluate],
  ["exec", exec],
  ["exit", exit],
  ["false", fail],
  ["fg", fg],
  ["getopts", getopts],
  ["hash", hash],
  ["jobs", jobs],
  ["kill", kill],
  ["let", letBuiltin],
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
