import type { Exposure, Tool, Toolkit } from "../../../toolkit-cli/index.ts";
import type { McpServerConfig } from "../../config/mcp-servers-config.ts";
import type { ChildGroups } from "./child-groups.ts";
import { makeTools, type ToolSource } from "./make-tools.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { plainText } from "./plain-text.ts";
import { makeResourceTools } from "./resource-tools.ts";
import { UniqueNames } from "./unique-names.ts";
import { untilAborted } from "./until-aborted.ts";
import { WarmConnection } from "./warm-connection.ts";

export interface McpToolkitOptions {
  /** The toolkit's name. */
  readonly name: string;
  /** The key in the configuration. */
  readonly key: string;
  readonly config: McpServerConfig;
  /** Relative paths of the configuration start here. */
  readonly directory: string;
  /** What `${NAME}` in the configuration is taken from. */
  readonly env: NodeJS.ProcessEnv;
  readonly groups: ChildGroups;
  readonly log: (line: string) => void;
  /** How long a start may take. */
  readonly startMs?: number;
  /** The clock by which failing servers are left alone; a test has its own. */
  readonly now?: () => number;
}

/** As MCP's own clients have it. */
const defaultTimeoutMs = 60_000;
/** What a call that reports progress may take in all. */
const longestCallMs = 30 * 60_000;
const defaultIdleMs = 5 * 60_000;
/** A package runner downloads a server before it starts it. */
const defaultStartMs = 60_000;

/** An MCP server as a toolkit. Nothing is started before its tools are asked for. */
export class McpToolkit implements Toolkit {
  readonly name: string;
  readonly expose: Exposure;
  readonly #options: McpToolkitOptions;
  readonly #connection: WarmConnection;
  readonly #listeners = new Set<() => void>();
  #listing: Promise<readonly Tool[]> | undefined;
  #instructions: string | undefined;
  /** Whether the tools have been listed, on this connection or an earlier one. */
  #isListed = false;

  constructor(options: McpToolkitOptions) {
    this.#options = options;
    this.name = options.name;
    this.expose = options.config.expose ?? "cli";
    this.#connection = new WarmConnection({
      name: options.key,
      idleMs: options.config.idleMs ?? defaultIdleMs,
      open: async (signal) => await this.#open(signal),
      onLost: () => this.#changed(),
      log: options.log,
      now: options.now ?? (() => performance.now()),
    });
  }

  get description(): string {
    const { config, key } = this.#options;
    return config.description ?? this.#instructions ?? `Tools of the MCP server "${key}".`;
  }

  /** Listed once, and again after the server said that they changed, or died. */
  async tools(signal?: AbortSignal): Promise<readonly Tool[]> {
    const listing = (this.#listing ??= this.#list());
    listing.catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
    });
    return await untilAborted(listing, signal);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #open(signal: AbortSignal): Promise<McpConnection> {
    const { key, startMs = defaultStartMs, ...rest } = this.#options;
    const { connect } = await import("./connect.ts");
    const onToolsChanged = (): void => this.#changed();
    const connection = await connect({ ...rest, name: key, startMs, onToolsChanged, signal });
    // It was stopped in between: what comes up again may be another version.
    if (this.#isListed) this.#changed();
    return connection;
  }

  #changed(): void {
    this.#listing = undefined;
    this.#isListed = false;
    for (const listener of this.#listeners) listener();
  }

  async #list(): Promise<readonly Tool[]> {
    return await this.#connection.use(undefined, async (open) => {
      const source = this.#source();
      const hasTools = open.capabilities.tools !== undefined;
      const { items, isCut } = hasTools
        ? await open.listTools({ timeout: source.silentMs })
        : { items: [], isCut: false };
      if (isCut) source.note(`it has too many tools: the first ${items.length} are offered`);
      this.#instructions = firstLine(open.instructions);
      const names = new UniqueNames();
      const own = makeTools(items, names, source);
      this.#isListed = true;
      return [...own, ...makeResourceTools(open.capabilities, names, source)];
    });
  }

  #source(): ToolSource {
    const { config, key, log } = this.#options;
    const silentMs = config.timeoutMs ?? defaultTimeoutMs;
    return {
      connection: this.#connection,
      silentMs,
      totalMs: Math.max(longestCallMs, silentMs),
      include: config.tools?.include,
      exclude: config.tools?.exclude,
      approval: config.approval ?? [],
      note: (line) => log(`mcp ${key}: ${line.slice(0, 1000)}`),
    };
  }
}

const descriptionCharacters = 200;

/** What a server says of itself is long; the beginning tells what it is. */
function firstLine(instructions: string | undefined): string | undefined {
  const line = plainText(instructions ?? "")
    .replace(/^[#\s]+/, "")
    .split("\n", 1)[0]
    ?.slice(0, descriptionCharacters);
  return line === undefined || line === "" ? undefined : line;
}
