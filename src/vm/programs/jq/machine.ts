/**
 * Runs compiled programs: backtracking by a stack of forks, what follows by continuations. Code runs
 * forward by plain calls and returns to this loop every so many steps, so that nothing a program does
 * grows JavaScript's stack, tail calls cost nothing, and a run can pause anywhere.
 */
import { MemoryLimitError } from "../memory-limit.ts";
import { JqError, type Value } from "./value.ts";

/** A compiled expression: takes `machine.value`, and runs `next` for each result. */
export type Code = (machine: Machine, frame: Frame, next: Continuation) => void;
/** A compiled expression with exactly one result, where no path is followed. */
export type Direct = (value: Value, frame: Frame, machine: Machine) => Value;

/** An argument: code and the frame of the call it was written in. */
export interface Closure {
  readonly code: Code;
  readonly direct: Direct | undefined;
  readonly frame: Frame;
  /** Whether each run has variables of its own. */
  readonly isFramed: boolean;
}

export function enter({ frame, isFramed }: Closure): Frame {
  return isFramed ? new Frame(frame) : frame;
}

/** What one call of a function holds. */
export class Frame {
  readonly parent: Frame | undefined;
  readonly values: Value[] = [];
  readonly closures: Closure[] = [];
  readonly labels: Label[] = [];

  constructor(parent: Frame | undefined) {
    this.parent = parent;
  }
}

/** The way from a path expression's input to the current value. */
export interface PathNode {
  readonly parent: PathNode | undefined;
  readonly key: Value;
  readonly value: Value;
}

/** Steps forward before the loop is reached again. */
const STEPS_AT_ONCE = 300;
/** Steps before a pause: a millisecond, unless each makes a large value. */
const STEPS_BEFORE_PAUSE = 5000;
/** Continuations within each other, and choices left open: some 100 MB. */
const DEPTH_LIMIT = 1_000_000;

/** What follows an expression. */
export abstract class Continuation {
  readonly depth: number;

  constructor(next: Continuation | undefined) {
    this.depth = next === undefined ? 0 : next.depth + 1;
  }

  /** Called with the result in `machine.value`. */
  run(machine: Machine): void {
    if (++machine.steps > STEPS_AT_ONCE) machine.later(this);
    else this.go(machine);
  }

  abstract go(machine: Machine): void;
}

/** A choice to come back to. It takes itself off the stack when it has no more. */
export abstract class Fork {
  abstract resume(machine: Machine): void;

  /** Whether an error ends here; the fork is off the stack by then. */
  catches(_machine: Machine, _error: JqError | BreakError): boolean {
    return false;
  }
}

export class Label extends Fork {
  resume(machine: Machine): void {
    machine.forks.pop();
  }

  override catches(_machine: Machine, error: JqError | BreakError): boolean {
    return error instanceof BreakError && error.label === this;
  }
}

/** `break`: ends all up to its label. */
export class BreakError extends Error {
  readonly label: Label;

  constructor(label: Label) {
    super("break");
    this.label = label;
  }
}

/** `halt` and `halt_error`. */
export class HaltError extends Error {
  readonly status: number;
  readonly value: Value | undefined;

  constructor(status: number, value: Value | undefined) {
    super("halt");
    this.status = status;
    this.value = value;
  }
}

/** What a program can ask of the world while it runs. */
export interface World {
  /** Says it on stderr. */
  say(text: string): void;
  readonly nowSeconds: () => number;
  readonly inputName: () => Value;
  readonly inputLine: () => number;
  readonly timeZone: string | undefined;
}

/** Why `next` came back: a result, the end, time for others, or `input` wants a value. */
export type Stop = "result" | "end" | "pause" | "input";

export class Machine {
  value: Value = null;
  /** Where `value` is, while a path expression is followed. */
  path: PathNode | undefined;
  steps = 0;
  readonly forks: Fork[] = [];
  readonly world: World;
  #later: Continuation | undefined;
  #spent = 0;
  #hasResult = false;
  #wantsInput: Continuation | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** Begins a program. Its results come from `next`. */
  start(code: Code, frame: Frame, input: Value): void {
    this.forks.length = 0;
    this.value = input;
    this.path = undefined;
    this.#wantsInput = undefined;
    this.#hasResult = false;
    this.#later = new Resume(code, frame, new Emit());
  }

  /** Runs on. Fails with a JqError nobody caught, a HaltError or a MemoryLimitError. */
  next(): Stop {
    this.#spent = 0;
    for (;;) {
      try {
        return this.#loop();
      } catch (error) {
        if (!(error instanceof JqError) && !(error instanceof BreakError)) throw error;
        this.#unwind(error);
      }
    }
  }

  #loop(): Stop {
    for (;;) {
      if (this.#hasResult) {
        this.#hasResult = false;
        return "result";
      }
      if (this.#wantsInput !== undefined) return "input";
      this.#spent += this.steps + 1;
      this.steps = 0;
      if (this.#spent > STEPS_BEFORE_PAUSE) return "pause";
      const next = this.#later;
      if (next !== undefined) {
        this.#later = undefined;
        next.go(this);
        continue;
      }
      const fork = this.forks.at(-1);
      if (fork === undefined) return "end";
      fork.resume(this);
    }
  }

  /** Puts off what is next until the loop is reached. */
  later(next: Continuation): void {
    this.#later = next;
  }

  emit(): void {
    this.#hasResult = true;
  }

  /** `input`: goes on with the value that `give` brings. */
  wantInput(next: Continuation): void {
    this.#wantsInput = next;
  }

  /** What `input` gets: `[value]`, or null at the end. */
  give(value: Value): void {
    const next = this.#wantsInput;
    this.#wantsInput = undefined;
    this.value = value;
    this.#later = next;
  }

  /** Instead of a value for `input`. */
  giveError(message: string): void {
    this.#wantsInput = undefined;
    this.#later = new Raise(new JqError(message));
  }

  push(fork: Fork): void {
    if (this.forks.push(fork) > DEPTH_LIMIT) throw new MemoryLimitError();
  }

  /** Runs a function's body; tail calls take no room. */
  call(code: Code, frame: Frame, next: Continuation): void {
    if (next.depth > DEPTH_LIMIT) throw new MemoryLimitError();
    if (++this.steps > STEPS_AT_ONCE) this.#later = new Resume(code, frame, next);
    else code(this, frame, next);
  }

  #unwind(error: JqError | BreakError): void {
    this.#later = undefined;
    for (;;) {
      const fork = this.forks.pop();
      if (fork === undefined) throw error instanceof BreakError ? new JqError("break") : error;
      if (fork.catches(this, error)) return;
    }
  }
}

/** Runs code as what follows. */
export class Resume extends Continuation {
  readonly #code: Code;
  readonly #frame: Frame;
  readonly #next: Continuation;

  constructor(code: Code, frame: Frame, next: Continuation) {
    super(next);
    this.#code = code;
    this.#frame = frame;
    this.#next = next;
  }

  go(machine: Machine): void {
    this.#code(machine, this.#frame, this.#next);
  }
}

class Raise extends Continuation {
  readonly #error: JqError;

  constructor(error: JqError) {
    super(undefined);
    this.#error = error;
  }

  go(): void {
    throw this.#error;
  }
}

class Emit extends Continuation {
  constructor() {
    super(undefined);
  }

  go(machine: Machine): void {
    machine.emit();
  }
}
