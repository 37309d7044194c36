// A VM that attacks run in, one after the other, and what each came to.
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import type { Attack, Ending } from "./attack.ts";

export interface AttackResult {
  readonly ending: Ending;
  readonly stdout: string;
  /** What it or the VM said: the beginning of stderr, or why the VM was lost. */
  readonly said: string;
  readonly durationMs: number;
  /** Whether its time limit ended it. */
  readonly timedOut: boolean;
}

/** An attack that ends so has not been tried: the VM lacks what it uses. */
const untried = /TypeError|ReferenceError|Cannot find module|ot supported|ENOSYS/;
/** Kinds whose point is to throw such errors, or that say themselves what they found. */
const throwers = ["pollution", "thrown", "escape"];
/** Printed before the attack's own code: without it, nothing of the attack has run. */
const STARTED = "started\n";
const sayStarted = {
  cjs: `require("node:fs").writeSync(1, ${JSON.stringify(STARTED)});`,
  mjs: `import { writeSync } from "node:fs"; writeSync(1, ${JSON.stringify(STARTED)});`,
} as const;

const LIMIT_MS = 1000;
const SAID_CHARACTERS = 300;
const OUTPUT_LIMIT_BYTES = 100_000;

export class HostileVm {
  readonly #make: () => Promise<Vm>;
  #vm: Vm;

  private constructor(vm: Vm, make: () => Promise<Vm>) {
    this.#vm = vm;
    this.#make = make;
  }

  static async create(vms: Vms, name: string): Promise<HostileVm> {
    // Half the usual heap is filled in half the time; nothing else differs.
    const limits = { v8HeapLimitMb: 64 };
    const make = (): Promise<Vm> => vms.create({ name: `attacks-${name}`, limits });
    return new HostileVm(await make(), make);
  }

  /** Runs it; afterwards the VM answers again, anew at worst. Fails where it does not. */
  async suffer(attack: Attack): Promise<AttackResult> {
    const result = await this.#run(attack);
    // In a directory that no attack fills: what one left may take longer to remove than to make.
    const loss = await this.#findLoss();
    const { stdout } = await this.#vm.exec("echo alive; rm -rf /tmp/attack.*");
    if (stdout !== "alive\n") throw new Error(`the VM answers ${JSON.stringify(stdout)}`);
    if (!(await this.#isClean())) await this.#replace();
    return loss === undefined ? result : { ...result, ending: "cell restart", said: loss };
  }

  /** Why the VM was lost to what an attack left running, if it was. */
  async #findLoss(): Promise<string | undefined> {
    try {
      await this.#vm.exec("true");
      return undefined;
    } catch (error) {
      if (!(error instanceof built.HostError) || error.code !== "VM_LOST") throw error;
      return error.message;
    }
  }

  async #isClean(): Promise<boolean> {
    const { exitCode } = await this.#vm.exec("rm -rf /tmp/*", { timeoutMs: 3_000 });
    return exitCode === 0;
  }

  async #replace(): Promise<void> {
    await this.#vm.destroy();
    this.#vm = await this.#make();
  }

  async #run(attack: Attack, isAgain = false): Promise<AttackResult> {
    const { code, kind, isModule = false, limitMs = LIMIT_MS } = attack;
    const type = isModule ? "mjs" : "cjs";
    const path = `/tmp/attack.${type}`;
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    const first = new FirstOutput();
    try {
      await this.#vm.files.write(path, `${sayStarted[type]} ${code}`);
      const { exitCode, stdout, stderr, timedOut } = await this.#vm.exec(`node ${path}`, {
        timeoutMs: limitMs,
        maxOutputBytes: OUTPUT_LIMIT_BYTES,
        onStdout: (bytes) => first.add(bytes),
      });
      const isUntried = !throwers.includes(kind) && untried.test(stderr);
      if (!first.text.startsWith(STARTED) || isUntried) throw new Error(`not tried: ${stderr}`);
      const ending = timedOut || exitCode > 128 ? "killed" : exitCode === 0 ? "exit" : "error";
      const said = stderr.slice(0, SAID_CHARACTERS);
      return {
        ending,
        stdout: stdout.slice(STARTED.length),
        said,
        durationMs: elapsed(),
        timedOut,
      };
    } catch (error) {
      if (!(error instanceof built.HostError) || error.code !== "VM_LOST") throw error;
      const said = error.message;
      // A VM that dies of its memory at once takes the attack's first words with it.
      const isTried = first.text.startsWith(STARTED) || said.includes("memory");
      // Or it was what an attack before had left.
      if (!isTried && !isAgain) return this.#run(attack, true);
      if (!isTried) throw new Error(`not tried: ${said}`, { cause: error });
      return { ending: "cell restart", stdout: "", said, durationMs: elapsed(), timedOut: false };
    }
  }
}

/** The beginning of what an attack prints; it stays when the VM is lost. */
class FirstOutput {
  text = "";

  add(bytes: Uint8Array): void {
    if (this.text.length < STARTED.length) this.text += new TextDecoder().decode(bytes);
  }
}

/** A neighbour that is asked all the time, until it is told to stop. */
export class Neighbour {
  readonly #vm: Vm;
  #isStopped = false;
  readonly #asking: Promise<number>;

  constructor(vm: Vm) {
    this.#vm = vm;
    this.#asking = this.#ask();
    // Who stops it hears of a failure; until then it must not count as unhandled.
    this.#asking.catch(() => undefined);
  }

  /** How often it answered. Fails with the first wrong answer, or where its VM started anew. */
  async stop(): Promise<number> {
    this.#isStopped = true;
    const answers = await this.#asking;
    if (this.#vm.info().restarts > 0) throw new Error("the neighbour started anew");
    return answers;
  }

  async #ask(): Promise<number> {
    let answers = 0;
    for (; !this.#isStopped; answers += 1) {
      const { stdout } = await this.#vm.exec("echo hi");
      if (stdout !== "hi\n") throw new Error(`the neighbour answers ${JSON.stringify(stdout)}`);
      await new Promise((done) => setTimeout(done, 20));
    }
    return answers;
  }
}
