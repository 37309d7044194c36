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
    says: 'There is a VM named "{vm}" already.',
    remedy: "Use it, pick another name, or destroy it first.",
  },
  VM_DIFFERS: {
    says: 'There is a VM named "{vm}" already, with another {problem}.',
    remedy:
      "Leave that setting out to use the VM as it is, pick another name, or destroy it first.",
  },
  VM_GONE: {
    says: 'The VM "{vm}" is gone, with its files and processes: {cause}.',
    remedy: "Create it again with vm_create.",
  },
  VM_NAME_INVALID: {
    says: 'A VM cannot be named "{vm}".',
    remedy: "Use 1 to 63 lower-case letters, digits and hyphens, starting with a letter or digit.",
  },
  VM_OPTIONS_INVALID: {
    says: "The VM's options are wrong: {problem}.",
    remedy: "Correct that option and create the VM again.",
  },
  SOFTWARE_UNAVAILABLE: {
    says: "The software for {at} cannot be mounted: {problem}.",
    remedy:
      "Make that folder readable for the server, or correct software; a running server reads its configuration again after agentos-mcp stop.",
  },
  VM_DESTROYED: { says: 'The VM "{vm}" has been destroyed.', remedy: "Create a new one." },
  VM_LOST: {
    says: 'The VM "{vm}" stopped: {cause}. Its processes and files are gone.',
    remedy: "Call again: the VM starts anew, with an empty file system.",
  },
  VM_START_FAILED: {
    says: 'The VM "{vm}" could not be started: {cause}.',
    remedy: "Run agentos-mcp doctor to see what is missing here.",
  },
  VMS_LIMIT: {
    says: "There are {count} VMs, the limit.",
    remedy: "Destroy a VM that is not needed, or raise maxVms.",
  },
  SERVER_CLOSING: {
    says: "The server is shutting down.",
    remedy: "Start it again and repeat the call.",
  },
  EXEC_NOT_FOUND: {
    says: 'The VM "{vm}" has no command "{exec}".',
    remedy: "Call vm_list to see its commands; ended ones are kept for a while.",
  },
  VALUE_TOO_LARGE: {
    says: "The code's value takes {bytes} bytes as JSON, more than {limit}.",
    remedy: "Write it to a file of the VM and answer less.",
  },
  CODE_TOO_LONG: {
    says: "The code has {bytes} bytes; at most {limit} can be run.",
    remedy: "Write it to a file with fs_write and run that with vm_exec.",
  },
  CODE_MISSING: {
    says: "There is nothing to run.",
    remedy: "Give either code, or the execution_id of a run that goes on.",
  },
  CODE_LIMIT: {
    says: "{count} runs of code are under way, the limit.",
    remedy: "Wait for one to end, or decide the approvals they wait for.",
  },
  CODE_RUN_NOT_FOUND: {
    says: 'There is no execution "{execution}".',
    remedy: "Its answer has been given, or its VM is gone: run the code again if need be.",
  },
  EXEC_ENDED: {
    says: 'The command "{exec}" has ended.',
    remedy: "Start it again to give it input or signals.",
  },
  EXEC_LIMIT: {
    says: 'The VM "{vm}" runs {count} commands, the limit, and {waiting} more wait for one to end.',
    remedy: "Wait for some to end, or end one with vm_exec_io and signal.",
  },
  EXEC_STDIN_CLOSED: {
    says: 'The command "{exec}" takes no input: its stdin is closed.',
    remedy: "Start it again with interactive: true to feed it, or with all of its input as stdin.",
  },
  EXEC_NO_TERMINAL: {
    says: 'The command "{exec}" has no terminal.',
    remedy: "Start it again with tty: true.",
  },
  TTY_MISSING: {
    says: "A command without a terminal has no columns and rows.",
    remedy: "Add tty: true, or leave cols and rows out.",
  },
  TERMINAL_SIZE: {
    says: "A terminal has {wide} columns and {high} rows, not {cols} and {rows}.",
    remedy: "Give whole numbers within these limits.",
  },
  LOG_GONE: {
    says: "The log of this command is not kept any more.",
    remedy: "Run the command again, with its output in a file of the VM.",
  },
  SIGNAL_UNKNOWN: {
    says: 'There is no signal "{signal}".',
    remedy: "Use a name such as INT, TERM or KILL.",
  },
  TRACE_CALL_UNKNOWN: {
    says: 'There is no system call "{call}".',
    remedy: "Use names of docs/syscalls.md, such as open, read, spawn and wait.",
  },
  COMMAND_TOO_LONG: {
    says: "The command has {bytes} bytes; at most {limit} can be given.",
    remedy: "Write it to a file with fs_write and run that.",
  },
  ENV_INVALID: {
    says: "The variables cannot be set: {problem}.",
    remedy: "Correct env and call again.",
  },
  PATH_INVALID: {
    says: "{path} is no path: {problem}.",
    remedy: "Give an absolute path, or one relative to /home/user.",
  },
  NOT_READABLE: {
    says: "{path} is {kind}, which has no content to read at once.",
    remedy: "Read it with vm_exec, for example with head -c 100.",
  },
  CONTENT_INVALID: {
    says: "The content is no base64.",
    remedy: "Encode it again, or leave encoding out for text.",
  },
  SANDBOX_FAILED: {
    says: 'The VM "{vm}" gets no sandbox: {problem}',
    remedy: "Run sandbox status in the VM to see its limits and what was decided.",
  },
  APPROVAL_NOT_FOUND: {
    says: 'Nothing waits for approval as "{approval}".',
    remedy: "agentos-mcp approvals lists what waits.",
  },
  APPROVAL_DECIDED: {
    says: 'The approval "{approval}" is not open any more: {outcome}.',
    remedy: "agentos-mcp approvals lists what waits.",
  },
  WATCH_TOO_SLOW: {
    says: "The watcher of approvals does not read: {count} events wait for it, the limit.",
    remedy: "Run agentos-mcp approvals watch again, and read what it prints.",
  },
  CALL_GONE: {
    says: "The call that asked for approval is not kept any more.",
    remedy: "Call vm_list to see whether its command still runs before you repeat it.",
  },
  CONFIG_INVALID: {
    says: "The server's configuration is wrong: {problem}.",
    remedy: "Correct it: the next call reads it again.",
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
