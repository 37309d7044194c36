/** How npm fails: a code, lines behind `npm error`, a status. */
import type { Errno } from "../../../kernel/index.ts";
import { errnos, errnoWords } from "../../../kernel/index.ts";

/** A run of npm that ends here. `message` is said line by line, each behind `npm error`. */
export class NpmFailure extends Error {
  readonly code: string | undefined;
  readonly status: number;
  /** What stands before the lines of the message: `enoent`, `JSON.parse`. */
  readonly label: string;
  /** Lines before the message, without the label. */
  readonly facts: readonly string[];

  constructor(
    message: string,
    options: {
      readonly code?: string;
      readonly status?: number;
      readonly label?: string;
      readonly facts?: readonly string[];
    } = {},
  ) {
    super(message);
    this.code = options.code;
    this.status = options.status ?? 1;
    this.label = options.label ?? "";
    this.facts = options.facts ?? [];
  }

  /** All that is said, without `npm error`. */
  lines(): string[] {
    const label = this.label === "" ? "" : `${this.label} `;
    const code = this.code === undefined ? [] : [`code ${this.code}`];
    return [...code, ...this.facts, ...this.message.split("\n").map((line) => `${label}${line}`)];
  }
}

/** A file that npm cannot do without, in the words of Node's errors. npm's status is its errno, negative. */
export function fileFailure(errno: Errno, syscall: string, path: string, prefix = ""): NpmFailure {
  const [number] = errnos[errno];
  const words = errnoWords(errno).toLowerCase();
  const message = `${prefix}${errno}: ${words}, ${syscall} '${path}'`;
  const hint = "This is related to npm not being able to find a file.\n";
  return new NpmFailure(errno === "ENOENT" ? `${message}\n${hint}` : message, {
    code: errno,
    status: 256 - number,
    label: errno === "ENOENT" ? "enoent" : "",
    facts: [`syscall ${syscall}`, `path ${path}`, `errno -${number}`],
  });
}

/** For commands that need a registry. `what` is what cannot be fetched, or what cannot be done. */
export function networkFailure(what: readonly string[]): NpmFailure {
  const shown = what.slice(0, 20).map((one) => `  ${one}`);
  const more = what.length > shown.length ? [`  … and ${what.length - shown.length} more`] : [];
  return new NpmFailure(
    [
      "This VM has no network yet, so nothing can be fetched from a registry, a URL or git:",
      ...shown,
      ...more,
      "",
      "To use a package in this VM:",
      "  - have the host mount a folder that holds it (the VM's option `software`): npm takes packages",
      "    from /node_modules, /opt/software, /usr/lib/node_modules and /usr/local/lib/node_modules",
      "  - or put its tarball or folder into the VM and install that: npm install ./package.tgz",
    ].join("\n"),
    { code: "ENONETWORK" },
  );
}

/** The command itself ended with this status: nothing more is said. */
export class ScriptEnded extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`ended with status ${status}`);
    this.status = status;
  }
}
