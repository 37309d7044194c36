import { isKernelError } from "../../kernel/index.ts";
import { changeMode } from "./file-mode.ts";
import { refuseExtraOperand, UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName } from "./program.ts";
import { contextOptions, warnContext } from "./security-context.ts";

export const main = defineProgram(
  {
    name: "mknod",
    usage: ["[OPTION]... NAME TYPE [MAJOR MINOR]"],
    summary:
      "Create the special file NAME of the given TYPE: p for a FIFO, b, c or u for a device.",
    options: [
      ...contextOptions,
      { short: "m", long: "mode", value: "MODE", help: "set file permission bits to MODE" },
    ],
  },
  async (run) => {
    await warnContext(run, "SELinux/SMACK");
    const [name, type, major, minor] = run.operands;
    if (name === undefined) throw new UsageError("missing operand");
    if (type === undefined) throw new UsageError(`missing operand after ${quoteName(name)}`);
    const isDevice = !type.startsWith("p");
    if (isDevice && (major === undefined || minor === undefined)) {
      const reason =
        major === undefined ? "\nSpecial files require major and minor device numbers." : "";
      throw new UsageError(`missing operand after ${quoteName(major ?? type)}${reason}`);
    }
    if (isDevice && !/^[bcu]/.test(type))
      throw new UsageError(`invalid device type ${quoteName(type)}`);
    if (!isDevice && major !== undefined) {
      throw new UsageError(
        `extra operand ${quoteName(major)}\nFifos do not have major and minor device numbers.`,
      );
    }
    refuseExtraOperand(run.operands, 4);
    const text = run.options.get("mode");
    const mode =
      text === undefined
        ? undefined
        : changeMode({ mode: 0o666, isDirectory: false, umask: await run.sys.umask() }, text);
    if (text !== undefined && mode === undefined)
      throw new UsageError("invalid mode", { hasHint: false });
    try {
      const rdev = isDevice ? (Number(major) << 8) | Number(minor) : 0;
      await run.sys.mknod(name, isDevice ? "device" : "fifo", mode ?? 0o666, rdev);
      if (mode !== undefined) await run.sys.chmod(name, mode);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(`${name}: ${errorWords(error)}`);
    }
  },
);
