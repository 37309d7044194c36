/** Code that calls tools: checked, run in a VM, and kept while it waits. One for all VMs, owned by Vms. */
import { HostError } from "../host-error.ts";
import { type SlotFacts, Slots } from "../slots.ts";
import type { Vm } from "../vm.ts";
import { type CodeOptions, CodeRun } from "./code-run.ts";
import { declareFor, expectedTools } from "./declared-tools.ts";
import { rewriteImports } from "./rewrite-imports.ts";
import type { TypeProblem } from "./type-check.ts";
import { TypeChecker } from "./type-checker.ts";

/** Nothing has run. */
export interface RefusedCode {
  readonly problems: readonly TypeProblem[];
  /** What the tools that it is about look like. */
  readonly expected: readonly string[];
}

export interface CodeStartOptions extends CodeOptions {
  /** Whether it runs unchecked. */
  readonly isUnchecked?: boolean | undefined;
}

const CODE_LIMIT_BYTES = 1024 * 1024;
/** Runs of all VMs that go on or whose answers nobody has taken; the oldest that have ended leave. */
const RUNS_LIMIT = 128;

/** Runs of one VM that go on at once: what a VM has memory for. Each is a JavaScript process. */
const VM_RUNS_LIMIT = 16;

export class CodeMode {
  readonly #checker: TypeChecker;
  readonly #slots = new WeakMap<Vm, Slots>();
  readonly #runs = new Map<string, CodeRun>();

  constructor(log: (line: string) => void) {
    this.#checker = new TypeChecker({ log });
  }

  /** Gets ready to check, ahead of the first code. */
  warmUp(): void {
    this.#checker.start();
  }

  /** Runs code unless it cannot work; waits for its turn. CODE_TOO_LONG, CODE_LIMIT, and as Vm.spawn. */
  async start(vm: Vm, written: string, options: CodeStartOptions): Promise<CodeRun | RefusedCode> {
    const bytes = Buffer.byteLength(written);
    if (bytes > CODE_LIMIT_BYTES)
      throw new HostError("CODE_TOO_LONG", { bytes, limit: CODE_LIMIT_BYTES });
    const code = rewriteImports(written);
    const [run, check] = await Promise.allSettled([
      this.#create(vm, written, options),
      options.isUnchecked === true ? unchecked : this.#check(code, vm),
    ]);
    if (run.status === "rejected") throw run.reason;
    if (check.status === "rejected" || "problems" in check.value) await run.value.discard();
    if (check.status === "rejected") throw check.reason;
    if ("problems" in check.value) return check.value;
    this.#runs.set(run.value.id, run.value);
    await run.value.begin(code, options.language, check.value);
    return run.value;
  }

  /** CODE_RUN_NOT_FOUND. */
  get(id: string): CodeRun {
    const run = this.#runs.get(id);
    if (run === undefined)
      throw new HostError("CODE_RUN_NOT_FOUND", { execution: id.slice(0, 80) });
    return run;
  }

  /** Its answer has been taken. */
  forget(run: CodeRun): void {
    this.#runs.delete(run.id);
  }

  async close(): Promise<void> {
    this.#runs.clear();
    await this.#checker.close();
  }

  async #check(code: string, vm: Vm): Promise<Accepted | RefusedCode> {
    if (!this.#checker.isReady && !/\btools\b/.test(code)) {
      // Half a second is too long for code that has no tools to go wrong with.
      this.#checker.start();
      return unchecked;
    }
    const tools = await declareFor(code, vm.toolkits);
    const outcome = await this.#checker.check({ code, tools: tools.text });
    if ("unchecked" in outcome) {
      return {
        syntax: [],
        notes: [...tools.notes, `Types were not checked: ${outcome.unchecked}`],
      };
    }
    const syntax = outcome.problems.filter(({ isSyntax }) => isSyntax === true);
    const problems = outcome.problems.filter(({ isSyntax }) => isSyntax !== true);
    if (problems.length === 0) return { syntax, notes: tools.notes };
    return { problems, expected: expectedTools(problems, tools.described) };
  }

  /** Holds a slot until the run has ended. */
  async #create(vm: Vm, code: string, options: CodeOptions): Promise<CodeRun> {
    const slots = this.#slotsOf(vm);
    await slots.take();
    try {
      this.#makeRoom();
      const run = await CodeRun.create(vm, code, options);
      const free = (): void => slots.free();
      run.exec.wait().then(free, free);
      return run;
    } catch (error) {
      slots.free();
      throw error;
    }
  }

  #slotsOf(vm: Vm): Slots {
    const known = this.#slots.get(vm);
    if (known !== undefined) return known;
    const refuse = (facts: SlotFacts): HostError => new HostError("CODE_LIMIT", { ...facts });
    const slots = new Slots({ count: VM_RUNS_LIMIT, refuse });
    this.#slots.set(vm, slots);
    return slots;
  }

  #makeRoom(): void {
    if (this.#runs.size < RUNS_LIMIT) return;
    const ended = [...this.#runs.values()].find(({ isRunning }) => !isRunning);
    if (ended === undefined) throw new HostError("CODE_LIMIT", { count: this.#runs.size });
    this.#runs.delete(ended.id);
  }
}

interface Accepted {
  readonly notes: readonly string[];
  readonly syntax: readonly TypeProblem[];
}

const unchecked: Accepted = { notes: [], syntax: [] };
