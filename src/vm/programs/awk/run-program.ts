/** A program from its start to its end: BEGIN, the records, END. */

import { compileRules } from "./compile-rules.ts";
import { compileBlock } from "./compile-statement.ts";
import { Compiler } from "./compiler.ts";
import { MainInput } from "./main-input.ts";
import type { Runtime } from "./runtime.ts";
import { EXIT, type Exec, NEXT_FILE, NORMAL, type Signal, Unwind } from "./signals.ts";
import { outsideValue } from "./special-variables.ts";
import { fillEnvironment } from "./start-values.ts";
import { readStringEscapes } from "./string-escapes.ts";
import type { ProgramTree, Rule } from "./syntax.ts";

export interface ProgramRun {
  readonly tree: ProgramTree;
  /** `awk` and the operands. */
  readonly argv: readonly string[];
  /** `-F` and `-v`, in their order. */
  readonly assignments: readonly { readonly name: string; readonly text: string }[];
}

/** Runs it; the answer is its exit status. Fails with AwkFatalError and AwkSyntaxError. */
export async function runProgram(rt: Runtime, run: ProgramRun): Promise<number> {
  const compiler = new Compiler(rt, run.tree);
  const runner = new Runner(compiler, run);
  await runner.prepare();
  const parts = runner.compile();
  let signal = await runner.execute(parts.begin);
  if (signal !== EXIT && parts.readsInput) signal = await runner.readRecords(parts.records);
  rt.ticks = 0;
  // `exit` leads to END, too.
  if (parts.end !== undefined) await runner.execute(parts.end);
  await rt.files.closeAll();
  return rt.exitStatus;
}

interface Parts {
  readonly begin: Exec;
  readonly records: Exec;
  readonly end: Exec | undefined;
  readonly readsInput: boolean;
}

class Runner {
  readonly #compiler: Compiler;
  readonly #rt: Runtime;
  readonly #run: ProgramRun;

  constructor(compiler: Compiler, run: ProgramRun) {
    this.#compiler = compiler;
    this.#rt = compiler.rt;
    this.#run = run;
  }

  async prepare(): Promise<void> {
    const { argv, assignments } = this.#run;
    const compiler = this.#compiler;
    await fillEnvironment(compiler, argv);
    for (const { name, text } of assignments) await this.#assign(name, text);
  }

  async #assign(name: string, text: string): Promise<void> {
    const unknown: string[] = [];
    const value = readStringEscapes(text, this.#rt.charset, (letter) => unknown.push(letter));
    for (const letter of unknown)
      await this.#rt.warn(`warning: escape sequence \`\\${letter}' treated as plain \`${letter}'`);
    this.#compiler.assign(name, outsideValue(value));
  }

  compile(): Parts {
    const { rules } = this.#run.tree;
    const compiler = this.#compiler;
    const rt = this.#rt;
    const of = (kind: string): Exec | undefined => this.#block(rules, kind);
    const begin = of("BEGIN") ?? ((): Signal => NORMAL);
    const records = compileRules(compiler, rules);
    const end = of("END");
    const beginFile = of("BEGINFILE");
    const endFile = of("ENDFILE");
    const argc = compiler.rawValue("ARGC");
    rt.input = new MainInput(rt, {
      argv: compiler.globalArray("ARGV"),
      argc,
      assign: (name, text) => this.#assign(name, text),
      setFileName: (name, index) => {
        compiler.assign("FILENAME", outsideValue(name));
        compiler.assign("ARGIND", index);
      },
      beginFile: beginFile && (async (problem) => this.#beginFile(beginFile, problem)),
      endFile:
        endFile &&
        (async () => {
          if ((await this.execute(endFile)) === EXIT) throw new Unwind(EXIT);
        }),
    });
    rt.setErrno = (message) => compiler.assign("ERRNO", message);
    const readsInput =
      end !== undefined ||
      beginFile !== undefined ||
      endFile !== undefined ||
      rules.some(({ pattern }) => ["always", "expr", "range"].includes(pattern.kind));
    return { begin, records, end, readsInput };
  }

  #block(rules: readonly Rule[], kind: string): Exec | undefined {
    const bodies = rules.filter(({ pattern }) => pattern.kind === kind);
    if (bodies.length === 0) return undefined;
    return compileBlock(
      bodies.flatMap(({ body }) => (body === undefined ? [] : [this.#compiler.statement(body)])),
    );
  }

  async #beginFile(exec: Exec, problem: string | undefined): Promise<boolean> {
    this.#rt.setErrno(problem ?? "");
    const signal = await this.execute(exec);
    if (signal === EXIT) throw new Unwind(EXIT);
    return signal !== NEXT_FILE;
  }

  /** Runs a part; `next` and `exit` within functions come out here. */
  async execute(exec: Exec): Promise<Signal> {
    try {
      return await exec();
    } catch (error) {
      return this.#unwound(error);
    }
  }

  #unwound(error: unknown): Signal {
    if (!(error instanceof Unwind)) throw error;
    this.#rt.frame = [];
    this.#rt.depth = 0;
    return error.signal;
  }

  async readRecords(records: Exec): Promise<Signal> {
    const rt = this.#rt;
    for (;;) {
      const signal = await this.#readOn(records);
      if (signal === EXIT || signal === NORMAL) return signal;
      if (signal === NEXT_FILE) await rt.input.skipFile();
    }
  }

  /** Records until the input ends or a rule has to leave; the loop waits only where it must. */
  async #readOn(records: Exec): Promise<Signal> {
    const rt = this.#rt;
    const { input, record } = rt;
    try {
      for (;;) {
        if (rt.mustPause()) await rt.pause();
        const found = input.next();
        if (found !== true && !(await found)) return NORMAL;
        rt.nr += 1;
        rt.fnr += 1;
        const { block, start, end } = input.current();
        record.setPart(block, start, end);
        let signal = records();
        if (typeof signal !== "number") signal = await signal;
        if (signal === EXIT || signal === NEXT_FILE) return signal;
      }
    } catch (error) {
      return this.#unwound(error);
    }
  }
}
