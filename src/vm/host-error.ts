/** An operator's problem: what happened, to which thing, and what to do. docs/errors.md lists them. */
interface HostErrorRow {
  readonly says: string;
  readonly remedy: string;
}

export const hostErrors = {
  VM_NOT_FOUND: {
    says: 'There is no VM named "{vm}".',
    remedy: "Call vm_list to see the VMs, or vm_create to make one.",
  },
  VM_EXISTS: {
    says: 'A VM named "{vm}" already exists.',
    remedy: "Use that VM, choose another name, or destroy it first.",
  },
  VM_DIFFERS: {
    says: 'A VM named "{vm}" already exists, with a different {problem}.',
    remedy:
      "Omit that setting to use the VM as it is, choose another name, or destroy the VM first.",
  },
  VM_GONE: {
    says: 'The VM "{vm}" is gone, with its files and processes: {cause}.',
    remedy: "Create it again with vm_create.",
  },
  VM_NAME_INVALID: {
    says: '"{vm}" is not a valid VM name.',
    remedy: "Use 1 to 63 lower-case letters, digits and hyphens, starting with a letter or digit.",
  },
  VM_OPTIONS_INVALID: {
    says: "The VM's options are not valid: {problem}.",
    remedy: "Correct this option and create the VM again.",
  },
  VM_ABOVE_CEILING: {
    says: "{option} is {value}; a client of this server may ask for {most} at most, by {where}.",
    remedy:
      "Ask for less, or have the person who runs the server raise it there. The change takes effect after agentos-mcp stop.",
  },
  SOFTWARE_UNAVAILABLE: {
    says: "The software for {at} cannot be mounted: {problem}.",
    remedy:
      "Make the folder readable for the server, or correct the setting software. Then run agentos-mcp stop: the next server reads the configuration again.",
  },
  VM_DESTROYED: { says: 'The VM "{vm}" has been destroyed.', remedy: "Create a new one." },
  VM_LOST: {
    says: 'The VM "{vm}" stopped: {cause}. Its processes and files are gone.',
    remedy: "Call again. The VM starts with an empty file system.",
  },
  VM_START_FAILED: {
    says: 'The VM "{vm}" could not be started: {cause}.',
    remedy: "Run agentos-mcp doctor on the host to see what is missing.",
  },
  VMS_LIMIT: {
    says: "The server has {count} VMs, which is its limit.",
    remedy: "Destroy a VM that nobody needs, or raise maxVms in the configuration.",
  },
  SERVER_CLOSING: {
    says: "The server is shutting down.",
    remedy: "Start it again and repeat the call.",
  },
  EXEC_NOT_FOUND: {
    says: 'The VM "{vm}" has no command "{exec}".',
    remedy:
      "Call vm_list to see its commands. The server keeps commands that have ended for a while.",
  },
  VALUE_TOO_LARGE: {
    says: "The value of the code has {bytes} bytes as JSON; the limit is {limit}.",
    remedy: "Write it to a file in the VM and return less.",
  },
  CODE_TOO_LONG: {
    says: "The code has {bytes} bytes; the limit is {limit}.",
    remedy: "Write it to a file with fs_write and run the file with vm_exec.",
  },
  CODE_MISSING: {
    says: "There is nothing to run.",
    remedy: "Give either code, or the execution_id of a run to continue.",
  },
  CODE_LIMIT: {
    says: "{count} runs of code are in progress, which is the limit.",
    remedy: "Wait for one to end, or answer the approvals they wait for.",
  },
  CODE_RUN_NOT_FOUND: {
    says: 'There is no execution "{execution}".',
    remedy: "Its result was already returned, or its VM is gone. Run the code again if needed.",
  },
  EXEC_ENDED: {
    says: 'The command "{exec}" has ended.',
    remedy: "Run it again to send it input or signals.",
  },
  EXEC_LIMIT: {
    says: 'The VM "{vm}" runs {count} commands, which is its limit, and {waiting} more wait for their turn.',
    remedy: "Wait for one to end, or end one with vm_exec_io and signal.",
  },
  LISTING_TOO_LONG: {
    says: "The list of {path} is longer than a list may be ({limit} bytes).",
    remedy: "List a part of it with a command, such as: ls -f DIRECTORY | head -n 1000.",
  },
  EXEC_STDIN_CLOSED: {
    says: 'The stdin of command "{exec}" is closed.',
    remedy: "Run it again with interactive: true, or with all of its input as stdin.",
  },
  EXEC_NO_TERMINAL: {
    says: 'The command "{exec}" has no terminal.',
    remedy: "Run it again with tty: true.",
  },
  TTY_MISSING: {
    says: "cols and rows need a terminal.",
    remedy: "Add tty: true, or omit cols and rows.",
  },
  TERMINAL_SIZE: {
    says: "A terminal can have {wide} columns and {high} rows, not {cols} and {rows}.",
    remedy: "Use whole numbers within these limits.",
  },
  LOG_GONE: {
    says: "The log of this command is no longer kept.",
    remedy: "Run the command again and write its output to a file in the VM.",
  },
  SIGNAL_UNKNOWN: {
    says: 'There is no signal "{signal}".',
    remedy: "Use a name such as INT, TERM or KILL.",
  },
  TRACE_CALL_UNKNOWN: {
    says: 'There is no system call "{call}".',
    remedy: "Use a name from docs/syscalls.md, such as open, read, spawn or wait.",
  },
  COMMAND_TOO_LONG: {
    says: "The command has {bytes} bytes; the limit is {limit}.",
    remedy: "Write it to a file with fs_write and run the file.",
  },
  ENV_INVALID: {
    says: "The environment variables are not valid: {problem}.",
    remedy: "Correct env and call again.",
  },
  PATH_INVALID: {
    says: "{path} is not a valid path: {problem}.",
    remedy: "Use an absolute path, or one relative to /home/user.",
  },
  NOT_READABLE: {
    says: "{path} is {kind}; it has no content that can be read as a file.",
    remedy: "Read it with vm_exec, for example with head -c 100.",
  },
  CONTENT_INVALID: {
    says: "The content is not valid base64.",
    remedy: "Encode it again, or omit encoding to write text.",
  },
  SANDBOX_FAILED: {
    says: 'The VM "{vm}" cannot have a sandbox: {problem}',
    remedy: "Run sandbox status in the VM to see its limits and earlier decisions.",
  },
  APPROVAL_NOT_FOUND: {
    says: 'Nothing waits for approval as "{approval}".',
    remedy: "agentos-mcp approvals lists what waits.",
  },
  APPROVAL_DECIDED: {
    says: 'The approval "{approval}" is not open any more: {outcome}.',
    remedy: "agentos-mcp approvals lists what waits.",
  },
  APPROVAL_OF_ANOTHER: {
    says: 'What waits as "{approval}" is not what was shown: the SHA-256 of its input is another.',
    remedy: "Look at it again with agentos-mcp approvals show.",
  },
  WATCH_TOO_SLOW: {
    says: "This watcher of approvals is too slow: {count} events wait for it, which is the limit.",
    remedy: "Run agentos-mcp approvals watch again, and read what it prints.",
  },
  CALL_GONE: {
    says: "The call that asked for approval is no longer kept.",
    remedy: "Call vm_list and check whether its command still runs before you repeat it.",
  },
  CONFIG_INVALID: {
    says: "The server's configuration is not valid: {problem}.",
    remedy: "Correct it. The next call reads it again.",
  },
} as const satisfies Record<string, HostErrorRow>;

export type HostErrorCode = keyof typeof hostErrors;
export type HostErrorFacts = Readonly<Record<string, string | number>>;

/** Shown to MCP clients as it is: nothing of the host (paths, stacks, secrets) may be in its facts. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  readonly facts: HostErrorFacts;

  constructor(code: HostErrorCode, facts: HostErrorFacts = {}, options?: ErrorOptions) {
    super(fill(hostErrors[code].says, facts), options);
    this.name = "HostError";
    this.code = code;
    this.facts = facts;
  }

  /** What the user can do about it. */
  get remedy(): string {
    return hostErrors[this.code].remedy;
  }
}

function fill(says: string, facts: HostErrorFacts): string {
  const known = new Map(Object.entries(facts));
  return says.replace(/\{(\w+)\}/g, (_, name: string) => String(known.get(name) ?? ""));
}
