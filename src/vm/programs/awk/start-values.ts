/** What variables hold when a program starts. */

import { textKey } from "./awk-array.ts";
import { DEFAULT_TIME_FORMAT } from "./builtins-time.ts";
import type { Compiler } from "./compiler.ts";
import { InputText } from "./value.ts";

export async function fillEnvironment(compiler: Compiler, argv: readonly string[]): Promise<void> {
  const { rt } = compiler;
  const { charset } = rt;
  const environ = compiler.globalArray("ENVIRON");
  for (const [name, value] of rt.environment)
    environ.set(textKey(charset.fromKernel(name)), new InputText(charset.fromKernel(value)));
  const argvArray = compiler.globalArray("ARGV");
  for (const [at, word] of argv.entries())
    argvArray.set(at, new InputText(charset.fromKernel(word)));
  compiler.assign("ARGC", argv.length);
  for (const name of ["ARGIND", "RSTART", "RLENGTH", "BINMODE", "LINT"]) compiler.assign(name, 0);
  for (const name of ["FILENAME", "ERRNO"]) compiler.assign(name, "");
  compiler.assign("TEXTDOMAIN", "messages");
  await fillProcessInformation(compiler);
}

async function fillProcessInformation({ rt }: Compiler): Promise<void> {
  const { sys, procinfo } = rt;
  const { uid, gid } = await sys.getcredentials();
  const numbers: readonly (readonly [string, number])[] = [
    ["pid", await sys.getpid()],
    ["ppid", await sys.getppid()],
    ["pgrpid", await sys.getpgid(0)],
    ["uid", uid],
    ["euid", uid],
    ["gid", gid],
    ["egid", gid],
  ];
  for (const [name, value] of numbers) procinfo.set(name, value);
  procinfo.set("version", "5.2.1");
  procinfo.set("FS", "FS");
  procinfo.set("platform", "posix");
  procinfo.set("strftime", DEFAULT_TIME_FORMAT);
}
