// Every command of `agentos-mcp`. A command is a row here and a file of its own, loaded only when it
// is called. Runs on Node 20.
import type { Build } from "./build-id.ts";
import type { CommandLine } from "./command-line.ts";
import type { ServerLaunch } from "./connect/start-server.ts";
import type { Option } from "./settings.ts";

/** What a command gets to work with. */
export interface CommandContext extends CommandLine {
  readonly build: Build;
  /** The file a client starts this package by. */
  readonly binFile: string;
  /** Tells the user on stderr; stdout holds results (of `serve`, MCP). */
  readonly say: (message: string) => void;
  /** Opens the home and says how its server is started. Throws HomeError and NoServerNodeError. */
  readonly launchServer: () => ServerLaunch;
}

/** Runs a command to its exit code. What it throws is printed by `main`. */
export type Command = (context: CommandContext) => Promise<number>;

export interface CommandRow {
  readonly says: string;
  /** What follows the command's name in help. */
  readonly usage?: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** Whether words that are no options are for the command; it refuses those it cannot use. */
  readonly takesWords?: true;
  /** What whoever gave a word to a command that takes none may have meant. */
  readonly hint?: (word: string) => string;
  readonly load: () => Promise<Command>;
}

/** In the order of help. The first is what no command at all means. */
export const commands: Readonly<Record<string, CommandRow>> = {
  serve: {
    says: "Serve MCP on standard input and output (what a client starts)",
    load: async () => (await import("./shim/serve.ts")).serve,
  },
  exec: {
    says: "Run a shell command in a VM and exit with its status; 125 means that it could not be run",
    usage: "[options] -- 'command'",
    takesWords: true,
    options: {
      vm: {
        value: "NAME",
        env: "AGENTOS_MCP_VM",
        says: "The VM; created if it does not exist (default)",
      },
      cwd: { value: "DIR", env: "AGENTOS_MCP_CWD", says: "Working directory (/home/user)" },
      env: { value: "NAME=VALUE", isList: true, says: "Environment variable; can be repeated" },
      timeout: {
        value: "MS",
        env: "AGENTOS_MCP_TIMEOUT_MS",
        says: "Kill the command after this time and exit with 124",
      },
      root: { says: "Run as root instead of user" },
    },
    load: async () => (await import("./commands/exec.ts")).exec,
  },
  shell: {
    says: "Open an interactive shell in a VM",
    usage: "[options] [name]",
    takesWords: true,
    options: { root: { says: "Run as root instead of user" } },
    load: async () => (await import("./commands/shell.ts")).shell,
  },
  vms: {
    says: "List the VMs of this home's server, or destroy some",
    usage: "[--json | destroy NAME...]",
    takesWords: true,
    options: { json: { says: "Print JSON" } },
    load: async () => (await import("./commands/vms.ts")).vms,
  },
  trace: {
    says: "Show the system calls of a VM's processes as they happen, until Ctrl-C",
    usage: "VM [options]",
    takesWords: true,
    options: {
      pid: {
        value: "N",
        env: "AGENTOS_MCP_TRACE_PID",
        says: "Only this process and those it starts",
      },
      calls: {
        value: "CALL,...",
        env: "AGENTOS_MCP_TRACE_CALLS",
        says: "Only these calls, by their names in docs/syscalls.md",
      },
      json: { says: "Print one JSON object per line" },
    },
    load: async () => (await import("./commands/trace.ts")).trace,
  },
  approvals: {
    says: "List what waits for your approval, and answer it",
    usage: "[show | allow | deny ID... | watch | remembered | revoke SUBJECT]",
    takesWords: true,
    options: {
      once: { says: "The answer is for this call only (the default)" },
      vm: { says: "The answer is for this VM until it is destroyed" },
      always: { says: "The answer is for every VM of this home, until it is revoked" },
      full: { says: "With show: print all of a long input" },
      json: { says: "Print JSON" },
    },
    load: async () => (await import("./commands/approvals.ts")).approvals,
  },
  doctor: {
    says: "Check which defences protect this host from guests, by attacking them",
    usage: "[--json]",
    options: { json: { says: "Print JSON" } },
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  stop: {
    says: "Stop the servers of this home and all their VMs",
    options: { yes: { says: "Do not ask before VMs end" } },
    hint: (word) => `To destroy one VM: agentos-mcp vms destroy ${word}`,
    load: async () => (await import("./control/stop-servers.ts")).stopServers,
  },
};
