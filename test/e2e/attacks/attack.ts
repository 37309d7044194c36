// What an attack is, and how it may end.

/** The ways an attack ends. The VM goes on after those that do not name it. */
export const endings = {
  exit: "ends by itself, with status 0",
  error: "ends by itself, with an error",
  "heap limit": "is killed at its heap's limit: SIGABRT and V8's words",
  "memory limit": "is killed at the VM's memory limit: SIGKILL, and a notice that names the limit",
  stopped: "goes on until it is stopped",
  "internal error": "has broken the Node it runs on: SIGABRT",
  "VM memory":
    "its VM is lost: far more memory than the VM's limit, in a call that nothing can stop",
  "VM stuck": "its VM is lost: inside the engine, where nothing can stop it",
  "VM crashed": "its VM is lost: V8 finds no memory for itself",
} as const;

export type Ending = keyof typeof endings;

/** How an attack ends, and what it says; each attack has one such. */
export type Expected = Readonly<{
  /** The whole of what it prints; nothing unless said otherwise. */
  prints?: string | RegExp;
  /** What stops it where it ignores SIGTERM. */
  signal?: "SIGKILL";
  /** Its status after an error; 1 unless said otherwise. */
  status?: number;
}> &
  (
    | Readonly<{ ends: Exclude<Ending, "error"> }>
    /** With these words somewhere in stderr. */
    | Readonly<{ ends: "error"; says: string }>
    /** With the status and all the words that it has under the host's Node. */
    | Readonly<{ ends: "as in Node" }>
    /** In one of several ways, of which each is right. */
    | Readonly<{ ends: readonly [Ending, Ending, ...Ending[]]; because: string }>
  );

export interface Attack {
  readonly name: string;
  readonly kind: string;
  /** JavaScript for `node`; CommonJS unless `isModule`. */
  readonly code: string;
  readonly isModule?: boolean;
  readonly expected: Expected;
}

/** Attacks of one kind that end in one way, by name. */
export function attacks(
  kind: string,
  expected: Expected,
  codes: Readonly<Record<string, string>>,
): Attack[] {
  return Object.entries(codes).map(([name, code]) => ({ name, kind, code, expected }));
}
