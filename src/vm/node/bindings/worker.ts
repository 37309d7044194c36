// Worker threads: a further isolate of the same process, which the kernel starts.
import { call } from "../channel.ts";
import { facts } from "../facts.ts";
import { request, setRef } from "../requests.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import { type Binding, unavailable } from "./base.ts";
import { openPort } from "./messaging/message-port.ts";
import { PortData } from "./messaging/port-data.ts";
import { optionInfo } from "./options.ts";
import { performanceOrigin } from "./performance.ts";
import { ownExecArgv } from "./process-methods.ts";

/** What the kernel tells a thread about itself. */
export interface ThreadFacts {
  readonly id: number;
  readonly port: number;
  readonly name: string;
  readonly limits: readonly number[];
  /** When the process started, by the wall's clock and the monotonic one. */
  readonly origin: readonly [number, number];
}

let port: object | undefined;

class Worker extends AsyncWrap {
  readonly threadId: number = call("threadNew");
  readonly threadName: string;
  readonly messagePort: object;
  readonly invalidExecArgv?: readonly string[];
  readonly invalidNodeOptions?: readonly string[];
  onexit?: ((code: number, error?: string, reason?: string) => void) | null;
  readonly #end: number;
  readonly #env: [string, string][];
  readonly #execArgv: readonly string[];
  readonly #limits: Float64Array;
  #waiting: number | undefined;
  #isRef = true;
  #isOver = false;

  constructor(
    _url: unknown,
    env: Record<string, string> | null | undefined,
    execArgv: readonly unknown[] | undefined,
    limits: Float64Array,
    _tracksFds: boolean,
    _isInternal: boolean,
    name: string,
  ) {
    super("WORKER");
    this.threadName = name;
    this.#limits = Float64Array.from(limits);
    this.#env = env ? Object.entries(env) : [...facts.env];
    this.#execArgv = execArgv?.map(String) ?? ownExecArgv();
    const invalid = execArgv === undefined ? [] : this.#execArgv.filter(isInvalid);
    if (invalid.length > 0) this.invalidExecArgv = invalid;
    const refused = (env?.["NODE_OPTIONS"] ?? "").split(/\s+/).filter(isUnknown);
    if (refused.length > 0)
      this.invalidNodeOptions = refused.map((one) => `${one} is not allowed in NODE_OPTIONS`);
    const [mine, theirs]: [number, number] = call("portPair");
    this.#end = theirs;
    this.messagePort = openPort(PortData.ofEnd(mine));
  }

  startThread(): void {
    const { threadId } = this;
    call("threadStart", threadId, {
      port: this.#end,
      name: this.threadName,
      execArgv: [...this.#execArgv],
      env: this.#env,
      origin: performanceOrigin(),
      limits: [...this.#limits].map((limit) => Math.max(0, limit)),
    });
    const done = (_: unknown, how: [number, string | undefined] | undefined): void => {
      this.#waiting = undefined;
      const [code = 1, error] = how ?? [];
      AsyncWrap.within(this, () => this.onexit?.(code, error, reasonOf(error)));
      this.#isOver = true;
      AsyncWrap.destroyed(this);
    };
    this.#waiting = request("threadWait", [threadId], done, this.#isRef);
  }

  stopThread(): void {
    call("threadStop", this.threadId, 1);
  }

  ref(): void {
    this.#setRef(true);
  }

  unref(): void {
    this.#setRef(false);
  }

  /** Undefined once it has ended. */
  hasRef(): boolean | undefined {
    return this.#isOver ? undefined : this.#isRef;
  }

  #setRef(isRef: boolean): void {
    this.#isRef = isRef;
    if (this.#waiting !== undefined) setRef(this.#waiting, isRef);
  }

  getResourceLimits(): Float64Array {
    return this.#limits;
  }

  loopStartTime(): number {
    return -1;
  }

  loopIdleTime(): number {
    return 0;
  }

  takeHeapSnapshot(): never {
    throw unavailable("worker.getHeapSnapshot()");
  }

  getHeapStatistics(): never {
    throw unavailable("worker.getHeapStatistics()");
  }

  cpuUsage(): never {
    throw unavailable("worker.cpuUsage()");
  }

  startCpuProfile(): never {
    throw unavailable("worker.startCpuProfile()");
  }

  startHeapProfile(): never {
    throw unavailable("worker.startHeapProfile()");
  }
}

const reasons: Readonly<Record<string, string>> = {
  ERR_WORKER_OUT_OF_MEMORY: "JS heap out of memory",
  ERR_WORKER_INIT_FAILED: "EAGAIN",
};

function reasonOf(error: string | undefined): string | undefined {
  return error === undefined ? undefined : reasons[error];
}

/** Whether a worker's own option is none of Node's, or one of the whole process. */
function isInvalid(option: string): boolean {
  const name = nameOf(option);
  return (
    isUnknown(option) ||
    processOptions.has(name) ||
    optionInfo.options.get(name)?.type === V8_OPTION
  );
}

function isUnknown(option: string): boolean {
  if (!option.startsWith("-")) return false;
  const name = nameOf(option);
  const positive = name.replace(/^--no-/, "--");
  return ![name, positive].some(
    (one) => optionInfo.options.has(one) || optionInfo.aliases.has(one),
  );
}

function nameOf(option: string): string {
  const [name = option] = option.split("=", 1);
  return name.replaceAll("_", "-");
}

const V8_OPTION = 1;
const processOptions = new Set([
  "--title",
  "--redirect-warnings",
  "--v8-pool-size",
  "--icu-data-dir",
]);

const binding: Binding = {
  ...staticsOf("worker"),
  getEnvMessagePort: () => port,
  Worker,
};

export const worker = (): Binding => binding;

/** Makes this isolate a thread, before its main script runs. */
export function setThread({ id, port: end, name, limits }: ThreadFacts): void {
  Object.assign(binding, {
    isMainThread: false,
    ownsProcessState: false,
    threadId: id,
    threadName: name,
    resourceLimits: Float64Array.from(limits),
  });
  port = openPort(PortData.ofEnd(end));
}
