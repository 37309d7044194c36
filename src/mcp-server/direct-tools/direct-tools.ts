// The tools of toolkits that MCP clients see beside ours (expose "direct" or "both"). The list is the
// same for every connection; it changes when a toolkit says so, or when one that was slow has started.
import type { Tool, Toolkit } from "../../toolkit-cli/index.ts";
import type { HostToolkits } from "../../vm/index.ts";
import { type DirectTool, directName } from "./direct-tool.ts";

export interface DirectToolsOptions {
  /** False where the configuration can have none: then nothing is loaded for them. */
  readonly mayHave: boolean;
  readonly load: () => Promise<HostToolkits>;
  /** Names of our own MCP tools. */
  readonly taken: () => Promise<ReadonlySet<string>>;
  readonly log: (line: string) => void;
  readonly readyLimitMs?: number;
  readonly lookAgainMs?: number;
}

/** More would drown everything else a model sees. */
const toolsLimit = 128;
/** A client waits that long for its first answer while toolkits start; what comes later is told. */
const readyLimitMs = 5000;
/** A toolkit that changes without end is looked at that often, one that fails with the next client. */
const lookAgainMs = 2000;

export class DirectTools {
  readonly #options: DirectToolsOptions;
  readonly #tools = new Map<string, readonly Tool[]>();
  readonly #listeners = new Set<() => void>();
  readonly #looking = new Set<string>();
  /** How to look again at toolkits that could not be reached. */
  readonly #failed = new Map<string, () => Promise<void>>();
  #host: HostToolkits | undefined;
  #starting: Promise<void> | undefined;
  #list: readonly DirectTool[] = [];

  constructor(options: DirectToolsOptions) {
    this.#options = options;
  }

  /** In the order of the configuration. */
  get list(): readonly DirectTool[] {
    return this.#list;
  }

  /** Undefined before anything is listed. */
  get host(): HostToolkits | undefined {
    return this.#host;
  }

  /** Resolves when every toolkit has been asked, or the time is over. Never rejects. */
  async ready(): Promise<void> {
    if (!this.#options.mayHave) return;
    this.#starting ??= this.#start().catch((error: unknown) => {
      // Whoever makes a VM learns what is wrong with the configuration; the next client tries again.
      this.#options.log(`direct tools: ${String(error)}`);
      this.#starting = undefined;
    });
    for (const [name, look] of this.#failed) this.#lookLater(name, look);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.readyLimitMs ?? readyLimitMs);
    await Promise.race([this.#starting, promise]);
    clearTimeout(timer);
  }

  /** Calls back when the list has changed; the answer takes it back. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #start(): Promise<void> {
    const [host, taken] = await Promise.all([this.#options.load(), this.#options.taken()]);
    this.#host = host;
    const direct = host.toolkits.filter(({ expose }) => expose !== "cli");
    const look = async (toolkit: Toolkit): Promise<void> => {
      this.#failed.delete(toolkit.name);
      if (!(await this.#look(host, toolkit))) this.#failed.set(toolkit.name, () => look(toolkit));
      this.#relist(direct, taken);
    };
    for (const toolkit of direct) {
      toolkit.onChange?.(() => {
        this.#lookLater(toolkit.name, () => look(toolkit));
      });
    }
    await Promise.all(direct.map(look));
  }

  /** Whether it could be reached; one that cannot keeps what it had. */
  async #look(host: HostToolkits, toolkit: Toolkit): Promise<boolean> {
    try {
      this.#tools.set(toolkit.name, await host.toolsOf(toolkit));
      return true;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#options.log(`toolkit ${toolkit.name} has no direct tools now: ${problem}`);
      return false;
    }
  }

  #lookLater(name: string, look: () => Promise<void>): void {
    if (this.#looking.has(name)) return;
    this.#looking.add(name);
    const timer = setTimeout(() => {
      this.#looking.delete(name);
      look().catch((error: unknown) => this.#options.log(String(error)));
    }, this.#options.lookAgainMs ?? lookAgainMs);
    timer.unref();
  }

  #relist(toolkits: readonly Toolkit[], taken: ReadonlySet<string>): void {
    const names = new Set(taken);
    const all = toolkits.flatMap(({ name: toolkit }) =>
      (this.#tools.get(toolkit) ?? []).flatMap((tool) => {
        const name = directName(toolkit, tool.name, names);
        if (name === undefined) return [];
        names.add(name);
        return [{ name, toolkit, tool }];
      }),
    );
    if (all.length > toolsLimit) {
      this.#options.log(`direct tools: ${all.length}, of which the first ${toolsLimit} are shown`);
    }
    this.#list = all.slice(0, toolsLimit);
    for (const listener of this.#listeners) listener();
  }
}
