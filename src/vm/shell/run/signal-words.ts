import { findSignalName } from "../../../kernel/index.ts";

/** strsignal(3), as glibc words it. */
const words = new Map<string, string>([
  ["SIGHUP", "Hangup"],
  ["SIGINT", "Interrupt"],
  ["SIGQUIT", "Quit"],
  ["SIGILL", "Illegal instruction"],
  ["SIGTRAP", "Trace/breakpoint trap"],
  ["SIGABRT", "Aborted"],
  ["SIGBUS", "Bus error"],
  ["SIGFPE", "Floating point exception"],
  ["SIGKILL", "Killed"],
  ["SIGUSR1", "User defined signal 1"],
  ["SIGSEGV", "Segmentation fault"],
  ["SIGUSR2", "User defined signal 2"],
  ["SIGPIPE", "Broken pipe"],
  ["SIGALRM", "Alarm clock"],
  ["SIGTERM", "Terminated"],
  ["SIGXCPU", "CPU time limit exceeded"],
  ["SIGXFSZ", "File size limit exceeded"],
  ["SIGVTALRM", "Virtual timer expired"],
  ["SIGPROF", "Profiling timer expired"],
  ["SIGIO", "I/O possible"],
  ["SIGPWR", "Power failure"],
  ["SIGSYS", "Bad system call"],
]);

export function signalWords(signal: number): string {
  return words.get(findSignalName(signal) ?? "") ?? `Unknown signal ${signal}`;
}
