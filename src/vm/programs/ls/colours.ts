/** The colours of `ls --color`, as LS_COLORS has them. */
import type { Stat } from "../../../kernel/index.ts";

const defaults: Readonly<Record<string, string>> = {
  rs: "0",
  di: "01;34",
  ln: "01;36",
  pi: "33",
  so: "01;35",
  bd: "01;33",
  cd: "01;33",
  ex: "01;32",
  su: "37;41",
  sg: "30;43",
  st: "37;44",
  ow: "34;42",
  tw: "30;42",
};

export class Colours {
  readonly #kinds: ReadonlyMap<string, string>;
  /** Endings of names with their colours; the later one wins. */
  readonly #endings: readonly (readonly [string, string])[];
  #hasBegun = false;

  constructor(text: string | undefined) {
    const rows = (text ?? "")
      .split(":")
      .map((row) => row.split("="))
      .filter((row) => row.length === 2)
      .map(([key = "", value = ""]) => [key, value] as const);
    const kinds = rows.filter(([key]) => !key.startsWith("*"));
    this.#kinds = new Map([...Object.entries(defaults), ...kinds]);
    this.#endings = rows
      .filter(([key]) => key.startsWith("*"))
      .map(([key, value]) => [key.slice(1), value] as const)
      .toReversed();
  }

  /** The shown name in its colour. A broken link is an orphan. */
  paint(shown: string, name: string, stat: Stat | undefined, target: Stat | undefined): string {
    const code = stat === undefined ? undefined : this.#codeOf(name, stat, target);
    if (code === undefined || code === "" || code === "0" || code === "00") return shown;
    const start = this.#hasBegun ? "" : "\u001B[0m";
    this.#hasBegun = true;
    return `${start}\u001B[${code}m${shown}\u001B[0m`;
  }

  #codeOf(name: string, stat: Stat, target: Stat | undefined): string | undefined {
    switch (stat.kind) {
      case "directory":
        return this.#kinds.get(directoryKind(stat.mode));
      case "symlink":
        if (target === undefined && this.#kinds.has("or")) return this.#kinds.get("or");
        if (this.#kinds.get("ln") === "target" && target !== undefined)
          return this.#codeOf(name, target, undefined);
        return this.#kinds.get("ln");
      case "fifo":
        return this.#kinds.get("pi");
      case "socket":
        return this.#kinds.get("so");
      case "device":
        return this.#kinds.get("cd");
      case "anonymous":
        return this.#kinds.get("or");
      case "file":
        return this.#fileCode(name, stat.mode);
    }
  }

  #fileCode(name: string, mode: number): string | undefined {
    if ((mode & 0o4000) !== 0) return this.#kinds.get("su");
    if ((mode & 0o2000) !== 0) return this.#kinds.get("sg");
    if ((mode & 0o111) !== 0) return this.#kinds.get("ex");
    return this.#endings.find(([ending]) => name.endsWith(ending))?.[1] ?? this.#kinds.get("fi");
  }
}

function directoryKind(mode: number): string {
  const isWritable = (mode & 0o002) !== 0;
  const isSticky = (mode & 0o1000) !== 0;
  if (isWritable) return isSticky ? "tw" : "ow";
  return isSticky ? "st" : "di";
}
