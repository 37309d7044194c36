// TypeScript, for the loaders of a process.
import { KernelError } from "../../../../kernel/index.ts";
import { maybe, text } from "../arguments.ts";
import type { Builtins } from "../builtins.ts";
import type { Calls } from "../guest.ts";
import { TypeStripper } from "../type-stripper.ts";

/** The parser works on the kernel's own thread: longer sources would stop the VM for too long. */
const SOURCE_LIMIT = 8 << 20;

/** One for all processes of a VM, as the builtins are. */
const strippers = new WeakMap<Builtins, TypeStripper>();

function stripperOf(builtins: Builtins): TypeStripper {
  const known = strippers.get(builtins);
  if (known !== undefined) return known;
  const made = new TypeStripper(builtins);
  strippers.set(builtins, made);
  return made;
}

export const typescriptCalls: Calls = {
  /** The code as a text, or what the parser says is wrong as an object. */
  stripTypes({ builtins }, args) {
    const source = text(args, 0);
    if (source.length > SOURCE_LIMIT) throw new KernelError("EFBIG");
    return stripperOf(builtins).strip(source, maybe(text, args, 1));
  },
};
