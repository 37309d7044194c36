/** What VMs and their cells make the host log. All of it may be a guest's words. */
import { visibleLine } from "../toolkit-cli/index.ts";
import { Ration } from "./ration.ts";

/** Longer lines are cut. */
const LINE_CHARACTERS = 2000;
/** Of one VM, or one cell: more than one that works ever logs. */
const OWN_CHARACTERS = { burst: 64 * 1024, perHour: 64 * 1024 };
const OWN_LINES = { burst: 100, perHour: 100 };
/** Of all together: a part of the server's log, so that the rest of it stays for others. */
const ALL_CHARACTERS = { burst: 1024 * 1024, perHour: 1024 * 1024 };

/** The log of a host, as its VMs share it. */
export class GuestLog {
  readonly #log: (line: string) => void;
  readonly #all = new Ration(ALL_CHARACTERS);

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Lines that a VM or a cell causes, under its name. */
  open(name: string): GuestLines {
    return new GuestLines(name, this.#log, this.#all);
  }
}

/**
 * One source of lines. Each is one line with hidden characters made visible and the source's name before it, so that it passes
 * for nobody else's. Lines beyond its ration are counted, and told of by the next one that is not, or by `close`.
 */
export class GuestLines {
  #name: string;
  readonly #log: (line: string) => void;
  readonly #lines = new Ration(OWN_LINES);
  readonly #own = new Ration(OWN_CHARACTERS);
  readonly #all: Ration;
  #suppressed = 0;

  constructor(name: string, log: (line: string) => void, all: Ration) {
    this.#name = name;
    this.#log = log;
    this.#all = all;
  }

  readonly add = (line: string): void => {
    const shown = `${this.#name}: ${visibleLine(line, LINE_CHARACTERS)}`;
    const cost = shown.length;
    if (!this.#lines.has(1) || !this.#own.has(cost) || !this.#all.has(cost)) {
      this.#suppressed += 1;
      return;
    }
    this.#tellSuppressed();
    this.#lines.take(1);
    this.#own.take(cost);
    this.#all.take(cost);
    this.#log(shown);
  };

  rename(name: string): void {
    this.#name = name;
  }

  /** The source has ended. */
  close(): void {
    this.#tellSuppressed();
  }

  #tellSuppressed(): void {
    if (this.#suppressed === 0) return;
    this.#log(`${this.#name}: ${this.#suppressed} lines suppressed`);
    this.#suppressed = 0;
  }
}
