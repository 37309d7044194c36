/** Signals with Linux's numbers and default actions, see signal(7). */
export const signals = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGSTKFLT: 16,
  SIGCHLD: 17,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGURG: 23,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPWR: 30,
  SIGSYS: 31,
} as const;

export type SignalName = keyof typeof signals;
export type DefaultAction = "terminate" | "stop" | "continue" | "ignore";

// Deviation: there are no real-time signals, 32 to 64 on Linux; nothing here needs to queue them.
/** The highest signal number. */
export const LAST_SIGNAL = 31;

const names = new Map<number, SignalName>();
for (const [name, signal] of Object.entries(signals)) {
  if (isSignalName(name)) names.set(signal, name);
}

function isSignalName(text: string): text is SignalName {
  return Object.hasOwn(signals, text);
}

/** The name of a signal's number, undefined when there is none. */
export function findSignalName(signal: number): SignalName | undefined {
  return names.get(signal);
}

/** The number for `TERM`, `SIGTERM` or `15`, in any case; undefined when there is none. */
export function findSignalNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) {
    const number = Number(text);
    return number === 0 || names.has(number) ? number : undefined;
  }
  const upper = text.toUpperCase();
  const name = upper.startsWith("SIG") ? upper : `SIG${upper}`;
  return isSignalName(name) ? signals[name] : undefined;
}

/** What a signal does to a process that neither handles nor ignores it. */
export function defaultAction(signal: number): DefaultAction {
  switch (findSignalName(signal)) {
    case "SIGCHLD":
    case "SIGURG":
    case "SIGWINCH":
      return "ignore";
    case "SIGCONT":
      return "continue";
    case "SIGSTOP":
    case "SIGTSTP":
    case "SIGTTIN":
    case "SIGTTOU":
      return "stop";
    default:
      return "terminate";
  }
}
