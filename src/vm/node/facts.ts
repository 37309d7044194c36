// What a process knows about itself when it starts; `start` fills it from the kernel's answer.

interface Facts {
  argv: readonly string[];
  execPath: string;
  pid: number;
  ppid: number;
  env: Map<string, string>;
  /** Wall-clock time at the start, and the monotonic clock then. */
  startedAtMs: number;
}

export const facts: Facts = {
  argv: [],
  execPath: "/usr/bin/node",
  pid: 0,
  ppid: 0,
  env: new Map(),
  startedAtMs: 0,
};
