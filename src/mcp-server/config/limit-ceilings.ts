/** How much a client may ask for: a client is a model, the configuration is a person's. docs/decisions/0044 says why. */
import { HostError, type LimitName, type LimitValues, limitTable } from "../../vm/index.ts";
import type { ServerConfig } from "./server-config.ts";

/** Limits of what the server itself holds for a VM: no memory limit of the VM bounds them. */
const serverPays: ReadonlySet<string> = new Set<LimitName>([
  "maxToolCalls",
  "maxHostCommands",
  "maxPendingAsks",
  "maxAuditRecords",
]);

/** What a client asks for a VM, under the names of `vm_create`. */
export interface AskedLimits {
  readonly memory_mb?: number | undefined;
  readonly limits?: Readonly<Record<string, number>> | undefined;
}

export interface CeilingSource {
  /** The file of the configuration. */
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  /** What all VMs may have together. */
  readonly maxMemoryMb: number;
}

interface Ceiling {
  readonly most: number;
  /** The setting that raises it. */
  readonly setting: string;
  /** A variable that wins over the setting. */
  readonly variable?: string;
}

/** The most that clients get for each limit. Whoever uses the library is the person, and meets none of them. */
export class LimitCeilings {
  readonly #config: ServerConfig;
  readonly #source: CeilingSource;

  constructor(config: ServerConfig, source: CeilingSource) {
    this.#config = config;
    this.#source = source;
  }

  /** VM_ABOVE_CEILING for the first that is too much. What no VM can have at all is for `Vms` to refuse. */
  check({ memory_mb, limits = {} }: AskedLimits): void {
    if (memory_mb !== undefined) this.#compare("memory_mb", memory_mb, this.#memory());
    for (const [name, value] of Object.entries(limits))
      this.#compare(`limits.${name}`, value, this.#limit(name));
  }

  #compare(option: string, value: number, ceiling: Ceiling | undefined): void {
    if (ceiling === undefined || !(value > ceiling.most)) return;
    const { path, env } = this.#source;
    const { most, setting, variable = "" } = ceiling;
    const where = env[variable] ? `the server's ${variable}` : `${setting} in ${path}`;
    throw new HostError("VM_ABOVE_CEILING", { option, value, most, where });
  }

  #memory(): Ceiling {
    const most = this.#config.vm?.memoryMb;
    if (most === undefined) {
      const variable = "AGENTOS_MCP_MAX_MEMORY_MB";
      return { most: this.#source.maxMemoryMb, setting: "maxMemoryMb", variable };
    }
    return { most, setting: "vm.memoryMb", variable: "AGENTOS_MCP_VM_MEMORY_MB" };
  }

  #limit(name: string): Ceiling | undefined {
    if (!isLimitName(name)) return undefined;
    const configured: Partial<LimitValues> = this.#config.vm?.limits ?? {};
    const most = configured[name] ?? (serverPays.has(name) ? limitTable[name].value : undefined);
    return most === undefined ? undefined : { most, setting: `vm.limits.${name}` };
  }
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(limitTable, name);
}
