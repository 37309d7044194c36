import { UsageError } from "./options.ts";
import { defineProgram, quoteName } from "./program.ts";

export const main = defineProgram(
  {
    name: "uname",
    usage: ["[OPTION]..."],
    summary: "Print certain system information.  With no OPTION, same as -s.",
    options: [
      { short: "a", long: "all", help: "print all information" },
      { short: "s", long: "kernel-name", help: "print the kernel name" },
      { long: "sysname", help: "same as --kernel-name" },
      { short: "n", long: "nodename", help: "print the network node hostname" },
      { short: "r", long: "kernel-release", help: "print the kernel release" },
      { long: "release", help: "same as --kernel-release" },
      { short: "v", long: "kernel-version", help: "print the kernel version" },
      { short: "m", long: "machine", help: "print the machine hardware name" },
      { short: "p", long: "processor", help: "print the processor type (non-portable)" },
      { short: "i", long: "hardware-platform", help: "print the hardware platform (non-portable)" },
      { short: "o", long: "operating-system", help: "print the operating system" },
    ],
  },
  async (run) => {
    const [extra] = run.operands;
    if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
    const name = await run.sys.uname();
    const isAll = run.has("all");
    const parts: string[] = [];
    const add = (option: string, text: string): void => {
      if (isAll || run.has(option)) parts.push(text);
    };
    if (run.options.order.length === 0) parts.push(name.sysname);
    add(run.has("sysname") ? "sysname" : "kernel-name", name.sysname);
    add("nodename", name.nodename);
    add(run.has("release") ? "release" : "kernel-release", name.release);
    add("kernel-version", name.version);
    add("machine", name.machine);
    if (run.has("processor")) parts.push("unknown");
    if (run.has("hardware-platform")) parts.push("unknown");
    add("operating-system", "GNU/Linux");
    run.out.addText(`${parts.join(" ")}\n`);
  },
);
