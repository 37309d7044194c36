import type { MagicTarget } from "../../vfs/file-system.ts";

/** A directory whose entries are made when asked for. */
export interface ProcDirectory {
  readonly kind: "directory";
  readonly mode: number;
  find(name: string): ProcNode | undefined;
  /** In ascending order of position. */
  names(): readonly ProcName[];
}

/** An entry keeps its position while it is there, whatever comes and goes beside it. */
export interface ProcName {
  readonly name: string;
  readonly position: number;
}

/** A file whose text is made at each read. */
export interface ProcFile {
  readonly kind: "file";
  readonly mode: number;
  text(): string;
}

export interface ProcLink {
  readonly kind: "symlink";
  readonly mode: number;
  target(callerPid: number): string;
  /** Where it leads when it leads to an object and not to its text. */
  follow?(): MagicTarget | undefined;
}

/** What an entry of /proc is. Who owns it is the process it belongs to. */
export type ProcNode = (ProcDirectory | ProcFile | ProcLink) & {
  readonly uid?: number;
  readonly gid?: number;
  /** What it is about: an entry of the same name about something else is another file. */
  readonly subject?: object;
};

export function file(text: () => string, mode = 0o444): ProcFile {
  return { kind: "file", mode, text };
}

/** A directory with the same entries always. */
export function directory(entries: Readonly<Record<string, ProcNode>>): ProcDirectory {
  const known = new Map(Object.entries(entries));
  return {
    kind: "directory",
    mode: 0o555,
    find: (name) => known.get(name),
    names: () => [...known.keys()].map((name, position) => ({ name, position })),
  };
}
