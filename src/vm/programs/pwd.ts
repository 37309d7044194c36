import { isKernelError } from "../../kernel/index.ts";
import { defineProgram, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "pwd",
    usage: ["[OPTION]..."],
    summary: "Print the full filename of the current working directory.",
    options: [
      {
        short: "L",
        long: "logical",
        help: "use PWD from environment, even if it contains symlinks",
      },
      { short: "P", long: "physical", help: "avoid all symlinks" },
    ],
  },
  async (run) => {
    if (run.operands.length > 0) await run.warn("ignoring non-option arguments");
    const logical =
      run.options.last("logical", "physical") === "logical" ? await logicalPath(run) : undefined;
    run.out.addText(`${logical ?? (await run.sys.getcwd())}\n`);
  },
);

/** PWD, if it is a clean path to where we are. */
async function logicalPath({ sys }: Run): Promise<string | undefined> {
  const path = (await sys.environ()).get("PWD");
  if (path === undefined || !path.startsWith("/") || /\/\.\.?(?:\/|$)/.test(path)) return undefined;
  try {
    const here = await sys.stat(".");
    const there = await sys.stat(path);
    return here.dev === there.dev && here.ino === there.ino ? path : undefined;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}
