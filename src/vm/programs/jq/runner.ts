import { encodeText, type Sys } from "../../../kernel/index.ts";
import { Output } from "../output.ts";
import type { CommandLine } from "./command-line.ts";
import { Inputs } from "./inputs.ts";
import { JsonSyntaxError } from "./json-parser.ts";
import { JsonWriter, toJson, type WriteStyle } from "./json-writer.ts";
import { type Code, Frame, HaltError, Machine } from "./machine.ts";
import { isTrue, JqError, type Value } from "./value.ts";

// Deviation: what is no JSON is said and ends in 4 as in Debian's jq 1.6; 1.7 says `jq: parse error` and ends in 5.
const PARSE_ERROR_STATUS = 4;

/** Runs a compiled program over all its inputs, and says its exit status. */
export class Runner {
  readonly #sys: Sys;
  readonly #flags: ReadonlySet<string>;
  readonly #code: Code;
  readonly #inputs: Inputs;
  readonly #writer: JsonWriter;
  readonly #out: Output;
  readonly #messages: Output;
  readonly #machine: Machine;
  /** Of the last input, as jq has it. */
  #hasErrors = false;
  #last: Value | undefined;
  #nowMs = 0;

  constructor(sys: Sys, line: CommandLine, code: Code, style: WriteStyle) {
    this.#sys = sys;
    this.#flags = line.flags;
    this.#code = code;
    this.#out = new Output(sys, 1);
    this.#messages = new Output(sys, 2);
    this.#writer = new JsonWriter(style);
    const inputStyle = {
      isRaw: line.flags.has("raw-input"),
      isSlurped: line.flags.has("slurp"),
      isStream: line.flags.has("stream") || line.flags.has("stream-errors"),
    };
    this.#inputs = new Inputs(sys, line.files, inputStyle, (message) => this.#say(message));
    this.#machine = new Machine({
      say: (text) => this.#messages.addText(text),
      nowSeconds: () => this.#nowMs / 1000,
      inputName: () => this.#inputs.fileName,
      inputLine: () => this.#inputs.line,
      timeZone: undefined,
    });
  }

  async run(): Promise<number> {
    this.#nowMs = (await this.#sys.clock()).nowMs;
    let status: number | undefined;
    try {
      status = this.#flags.has("null-input") ? await this.#process(null) : await this.#all();
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      await this.#flush();
      await this.#sayLine(`parse error: ${error.message}`);
      return PARSE_ERROR_STATUS;
    } finally {
      await this.#flush();
    }
    if (status !== undefined) return status;
    return this.#status();
  }

  #status(): number {
    if (this.#inputs.hasFailed) return 2;
    if (this.#hasErrors) return 5;
    if (!this.#flags.has("exit-status")) return 0;
    if (this.#last === undefined) return 4;
    return isTrue(this.#last) ? 0 : 1;
  }

  /** A status ends all: the program has halted. */
  async #all(): Promise<number | undefined> {
    for (;;) {
      const value = this.#inputs.take();
      if (value === undefined) {
        if (!(await this.#inputs.fill())) return undefined;
        continue;
      }
      const status = await this.#process(value);
      if (status !== undefined) return status;
    }
  }

  async #process(input: Value): Promise<number | undefined> {
    const machine = this.#machine;
    machine.start(this.#code, new Frame(undefined), input);
    this.#hasErrors = false;
    for (;;) {
      try {
        const stop = machine.next();
        if (stop === "result") this.#write(machine.value);
        else if (stop === "input") machine.give(await this.#nextInput());
        else if (stop === "pause") await this.#sys.schedYield();
        else return undefined;
      } catch (error) {
        if (error instanceof HaltError) return this.#halt(error);
        if (!(error instanceof JqError)) throw error;
        await this.#flush();
        await this.#report(error.value);
        return undefined;
      }
      if (this.#out.isFull || this.#flags.has("unbuffered")) await this.#flush();
    }
  }

  /** `[value]`, or null at the end. */
  async #nextInput(): Promise<Value> {
    for (;;) {
      const value = this.#inputs.take();
      if (value !== undefined) return [value];
      if (!(await this.#inputs.fill())) return null;
    }
  }

  #write(value: Value): void {
    const flags = this.#flags;
    const isNul = flags.has("raw-output0");
    const isJoined = flags.has("join-output");
    const isRaw = flags.has("raw-output") || isNul || isJoined;
    this.#last = value;
    if (isRaw && typeof value === "string") {
      if (isNul && value.includes("\0"))
        throw new JqError("Cannot dump a string containing NUL with --raw-output0 option");
      this.#out.addText(flags.has("ascii-output") ? this.#writer.write(value) : value);
    } else {
      if (flags.has("seq")) this.#out.addByte(30);
      this.#out.addText(this.#writer.write(value));
    }
    if (isNul) this.#out.addByte(0);
    else if (!isJoined) this.#out.addByte(10);
  }

  async #halt({ status, value }: HaltError): Promise<number> {
    await this.#flush();
    if (typeof value === "string") await this.#say(value, "");
    else if (value !== undefined) await this.#sayLine(toJson(value));
    return Math.trunc(status) & 0xff;
  }

  async #report(value: Value): Promise<void> {
    this.#hasErrors = true;
    const at = `jq: error (at ${this.#inputs.position})`;
    await this.#sayLine(
      typeof value === "string" ? `${at}: ${value}` : `${at} (not a string): ${toJson(value)}`,
    );
  }

  async #say(message: string, prefix = "jq: "): Promise<void> {
    if (prefix !== "") return this.#sayLine(`${prefix}${message}`);
    this.#messages.add(encodeText(message));
    return this.#messages.flush();
  }

  async #sayLine(line: string): Promise<void> {
    this.#messages.addText(`${line}\n`);
    await this.#messages.flush();
  }

  async #flush(): Promise<void> {
    await this.#out.flush();
    await this.#messages.flush();
  }
}
