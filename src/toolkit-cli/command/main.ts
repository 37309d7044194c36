/**
 * The program behind `agentos` and `agentos-<toolkit>`: told apart by the name it is called by. It runs
 * in a VM and knows the host only as /dev/toolkits. When it is killed, the device closes and the call of
 * the tool ends with it; nothing is to be done for that here.
 */
import { errnoWords, isKernelError, type Program, type Sys } from "../../kernel/index.ts";
import { ToolError } from "../tool-event.ts";
import { completeWords } from "./complete-words.ts";
import { exitCodes, reportFailure } from "./report-failure.ts";
import { runAgentos } from "./run-agentos.ts";
import { runToolkit } from "./run-toolkit.ts";
import { ToolkitsDevice } from "./toolkits-device.ts";
import { writeText } from "./write-all.ts";

const PREFIX = "agentos-";

export const main: Program = async (sys, argv) => {
  const path = argv[0] ?? "agentos";
  const name = path.slice(path.lastIndexOf("/") + 1);
  const words = argv.slice(1);
  const device = new ToolkitsDevice(sys);
  try {
    const env = await sys.environ();
    const line = env.get("COMP_LINE");
    if (line !== undefined && words.length === 3) {
      const point = Number(env.get("COMP_POINT") ?? line.length);
      return await completeWords({ sys, device, name }, line.slice(0, point), words[1] ?? "");
    }
    return name.startsWith(PREFIX)
      ? await runToolkit({ sys, device, name }, name.slice(PREFIX.length), words)
      : await runAgentos({ sys, device, name }, words);
  } catch (error) {
    return await endOn(sys, name, error);
  } finally {
    await device.close();
  }
};

async function endOn(sys: Sys, name: string, error: unknown): Promise<number> {
  // Whoever read the output has left: there is nobody to tell.
  if (isKernelError(error, "EPIPE")) return exitCodes.failed;
  if (isKernelError(error)) {
    await writeText(sys, 2, `${name}: ${errnoWords(error.errno)}\n`);
    return exitCodes.failed;
  }
  if (!(error instanceof ToolError)) throw error;
  return reportFailure(sys, { name, error });
}
