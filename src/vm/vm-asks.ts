import type { PermissionAnswer, PermissionRequest } from "../kernel/index.ts";
import type { AnswerPermission } from "./vm-options.ts";

interface VmAsksParts {
  /** Undefined where nobody can be asked: then all are denied. */
  readonly answer: AnswerPermission | undefined;
  readonly maxPendingAsks: number;
  readonly log: (line: string) => void;
}

/** Who has asked: one cell of the VM. */
export interface AskingCell {
  readonly reply: (ask: number, answer: PermissionAnswer) => void;
  /** The cell has asked what no cell of ours asks. */
  readonly distrust: (what: string) => void;
}

/** The permission questions of a VM that wait for the host. */
export class VmAsks {
  readonly #answer: AnswerPermission | undefined;
  readonly #limit: number;
  readonly #log: (line: string) => void;
  readonly #open = new Map<number, AbortController>();

  constructor({ answer, maxPendingAsks, log }: VmAsksParts) {
    this.#answer = answer;
    this.#limit = maxPendingAsks;
    this.#log = log;
  }

  ask(ask: number, request: PermissionRequest, cell: AskingCell): void {
    // The kernel in the cell counts the same way, see maxPendingAsks.
    if (this.#open.has(ask) || this.#open.size >= this.#limit) {
      return cell.distrust("more questions than it may have");
    }
    const reply = (answer: PermissionAnswer): void => cell.reply(ask, answer);
    if (this.#answer === undefined) return reply("deny");
    const abort = new AbortController();
    this.#open.set(ask, abort);
    this.#answer(request, abort.signal)
      .then(
        (answer) => reply(answer === "allow" ? "allow" : "deny"),
        (error: unknown) => {
          // Nobody waits for the answer any more.
          if (abort.signal.aborted) return;
          this.#log(`a permission request failed and is denied: ${String(error)}`);
          reply("deny");
        },
      )
      .finally(() => {
        if (this.#open.get(ask) === abort) this.#open.delete(ask);
      })
      .catch((error: unknown) => this.#log(String(error)));
    return undefined;
  }

  /** The guest no longer waits. */
  end(ask: number): void {
    this.#open.get(ask)?.abort();
    this.#open.delete(ask);
  }

  endAll(): void {
    for (const ask of [...this.#open.keys()]) this.end(ask);
  }
}
