import {
  isKernelError,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
} from "../../kernel/index.ts";
import { BlockCopy, type CopyPlan } from "./dd-copy.ts";
import { readPlan } from "./dd-operands.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "dd",
    usage: ["[OPERAND]...", "OPTION"],
    summary:
      "Copy a file, converting and formatting according to the operands:\n  bs= cbs= conv= count= ibs= if= iflag= obs= of= oflag= seek= skip= status=",
    options: [],
  },
  async (run) => {
    const plan = readPlan(run.operands);
    const input = await openInput(run, plan);
    const output = input === undefined ? undefined : await openOutput(run, plan);
    if (input === undefined || output === undefined) return 1;
    const copy = new BlockCopy(run, plan, input, output);
    await copy.run();
    return run.status;
  },
);

async function openInput(run: Run, plan: CopyPlan): Promise<number | undefined> {
  if (plan.from === undefined) return 0;
  return attempt(run, plan.from, () => run.sys.open(plan.from ?? "", O_RDONLY | O_CLOEXEC));
}

/** Cut where the output begins, unless told to keep what is there. */
async function openOutput(run: Run, plan: CopyPlan): Promise<number | undefined> {
  const { to, conversions, outputFlags } = plan;
  if (to === undefined) return 1;
  const isKept = conversions.has("notrunc") || plan.seekBytes > 0;
  const flags =
    (conversions.has("nocreat") ? 0 : O_CREAT) |
    (conversions.has("excl") ? O_EXCL : 0) |
    (isKept ? 0 : O_TRUNC) |
    (outputFlags.has("append") ? O_APPEND : 0) |
    (plan.seekBytes > 0 ? O_RDWR : O_WRONLY) |
    O_CLOEXEC;
  return attempt(run, to, async () => {
    const fd = await run.sys.open(to, flags);
    const isCut = plan.seekBytes > 0 && !conversions.has("notrunc");
    if (isCut && (await run.sys.fstat(fd)).kind === "file")
      await run.sys.ftruncate(fd, plan.seekBytes);
    return fd;
  });
}

async function attempt(
  run: Run,
  name: string,
  open: () => Promise<number>,
): Promise<number | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`failed to open ${quoteName(name)}: ${errorWords(error)}`, {
      hasHint: false,
    });
  }
}
