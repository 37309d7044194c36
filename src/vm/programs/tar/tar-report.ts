import { Output } from "../output.ts";
import type { Run } from "../program.ts";
import { MemberList } from "./list-line.ts";
import type { Member } from "./tar-header.ts";

/** What tar says while it works: members on fd 1, or on fd 2 where the archive goes to fd 1. */
export class TarReport {
  readonly #run: Run;
  readonly #output: Output;
  readonly #list: MemberList;
  readonly #isListing: boolean;
  /** Leading parts whose removal is said already. */
  readonly #removed = new Set<string>();

  constructor(run: Run, level: { readonly verbosity: number; readonly toError: boolean }) {
    this.#run = run;
    this.#output = level.toError ? new Output(run.sys, 2) : run.out;
    this.#isListing = level.verbosity > 0;
    this.#list = new MemberList({
      isVerbose: level.verbosity > 1,
      isNumeric: run.has("numeric-owner"),
      hasFullTime: run.has("full-time"),
    });
  }

  list(member: Member, name?: string): void {
    if (this.#isListing) this.#output.addText(this.#list.line(member, name));
  }

  async flushIfFull(): Promise<void> {
    if (this.#output.isFull) await this.#output.flush();
  }

  async flush(): Promise<void> {
    await this.#output.flush();
  }

  async warn(message: string): Promise<void> {
    await this.#output.flush();
    await this.#run.out.flush();
    await this.#run.warn(message);
  }

  /** Says it; the status will be 2. */
  async fail(message: string): Promise<void> {
    this.#run.status = 2;
    await this.warn(message);
  }

  /** Says once what is left out of names. */
  async removing(prefix: string, what: "member names" | "hard link targets"): Promise<void> {
    const shown = /^\/+$/.test(prefix) ? "/" : prefix;
    const message = `Removing leading \`${shown}' from ${what}`;
    if (this.#removed.has(message)) return;
    this.#removed.add(message);
    await this.warn(message);
  }
}
