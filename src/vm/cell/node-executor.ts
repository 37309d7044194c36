// How a cell runs JavaScript, where its platform can. The executor's code is loaded for the first process.
import {
  type Execution,
  type Executor,
  encodeText,
  type Image,
  type KernelHost,
  type Sys,
} from "../../kernel/index.ts";
import type { IsolateExecutor } from "../executors/isolate/isolate-executor.ts";
import type { GuestNatives } from "../executors/isolate/load-natives.ts";
import { NODE_MAGIC } from "../executors/isolate/node-magic.ts";

const magic = encodeText(NODE_MAGIC);
/** As a shell has it for a file that cannot be run. */
const CANNOT_RUN = 126;

export interface NodeExecutorOptions {
  readonly host: KernelHost;
  /** undefined where the platform has none. */
  readonly natives: GuestNatives | undefined;
  /** Only the end of the cell ends one of its guests. */
  readonly onStuck: () => void;
}

export class NodeExecutor implements Executor {
  readonly name = "isolate";
  readonly #options: NodeExecutorOptions;
  #loading: Promise<IsolateExecutor> | undefined;
  #loaded: IsolateExecutor | undefined;

  constructor(options: NodeExecutorOptions) {
    this.#options = options;
  }

  readonly accepts = (header: Uint8Array): boolean =>
    magic.every((byte, at) => header[at] === byte);

  readonly identify = (): string => "/usr/bin/node";

  start(image: Image, sys: Sys): Execution {
    const execution: { inner?: Execution; isKilled: boolean } = { isKilled: false };
    const run = async (): Promise<number> => {
      const { natives } = this.#options;
      if (natives === undefined) return refuse(sys);
      const executor = await this.#load(natives);
      this.#loaded = executor;
      execution.inner = executor.start(image, sys);
      if (execution.isKilled) execution.inner.kill();
      return execution.inner.ended;
    };
    return {
      ended: run(),
      kill() {
        execution.isKilled = true;
        execution.inner?.kill();
      },
      use: () => execution.inner?.use?.() ?? { memoryBytes: 0, cpuMs: 0 },
    };
  }

  /** Gives back what is only kept for processes to come. */
  giveBack(): void {
    this.#loaded?.giveBack();
  }

  #load(natives: GuestNatives): Promise<IsolateExecutor> {
    const { host, onStuck } = this.#options;
    this.#loading ??= import("../executors/isolate/isolate-executor.ts").then(
      ({ IsolateExecutor: Made }) =>
        new Made({
          natives,
          host,
          onStuck(reason) {
            host.log({ level: "bug", message: `a guest's isolate cannot be stopped: ${reason}` });
            onStuck();
          },
        }),
    );
    return this.#loading;
  }
}

async function refuse(sys: Sys): Promise<number> {
  await sys.write(2, encodeText("node: JavaScript is not available in VMs on this platform\n"));
  return CANNOT_RUN;
}
