/** Who agreed to what and when: one JSON value a line, in a file with a limit. */
import { appendFileSync, renameSync, statSync } from "node:fs";
import { visibleJson } from "../../toolkit-cli/index.ts";
import type { ApprovalDecision, PendingApproval } from "./approval.ts";
import type { ApprovalInput } from "./approval-input.ts";
import { ApprovedInputs } from "./approved-inputs.ts";
import { RecordRation } from "./record-ration.ts";

/** As much again is kept in `<file>.1`. */
const FILE_LIMIT_BYTES = 5 * 1024 * 1024;
/** Longer inputs that were allowed have a file of their own. */
const INLINE_CHARACTERS = 16 * 1024;

export interface DecisionRecord
  extends Omit<PendingApproval, "askedAt" | "expiresAt" | "isInputWhole" | "notes"> {
  /** ISO 8601. */
  readonly at: string;
  /** "withdrawn": who waited is gone. */
  readonly outcome: "allow" | "deny" | "withdrawn";
  readonly scope?: string;
  readonly by: string;
  readonly waitedMs: number;
  /** Records of the VM that are left out before this one. */
  readonly suppressedBefore?: number;
  /** What `input` is: all of it to the byte, so that its SHA-256 is `inputSha256`; with secrets masked; or its beginning. */
  readonly inputIs?: "exact" | "masked" | "cut" | "in a file";
}

export interface DecisionLogOptions {
  /** Nothing is kept without it. */
  readonly file: string | undefined;
  readonly log: (line: string) => void;
  readonly limitBytes?: number;
}

export interface Decided {
  readonly pending: PendingApproval;
  readonly input: ApprovalInput | undefined;
  readonly decision: ApprovalDecision | undefined;
  /** Whether a person has decided it just now. */
  readonly isByPerson: boolean;
}

/**
 * Never throws: a disk that is full keeps nobody from answering. A VM that asks without end does not push out what people
 * decided: records that no person made are rationed, see RecordRation.
 */
export class DecisionLog {
  readonly #options: DecisionLogOptions;
  readonly #inputs: ApprovedInputs;
  readonly #ration = new RecordRation();

  constructor(options: DecisionLogOptions) {
    this.#options = options;
    this.#inputs = new ApprovedInputs(
      options.file === undefined ? undefined : `${options.file}.inputs`,
    );
  }

  add({ pending, input, decision, isByPerson }: Decided): void {
    if (this.#options.file === undefined) return;
    const suppressed = isByPerson ? 0 : this.#ration.take(pending.vm);
    if (suppressed === undefined) return;
    const { askedAt, expiresAt: _, isInputWhole: __, notes: ___, ...facts } = pending;
    this.#append({
      at: new Date().toISOString(),
      ...facts,
      outcome: decision?.answer ?? "withdrawn",
      ...(decision === undefined ? {} : { scope: decision.scope }),
      by: decision?.by ?? "who asked",
      waitedMs: Date.now() - askedAt,
      ...(suppressed === 0 ? {} : { suppressedBefore: suppressed }),
      ...(input === undefined ? {} : this.#keep(input, decision)),
    });
  }

  #keep(
    { exact, sha256, shown, hasSecrets }: ApprovalInput,
    decision: ApprovalDecision | undefined,
  ): Pick<DecisionRecord, "input" | "inputIs"> {
    const text = hasSecrets ? shown : exact;
    const whole = hasSecrets ? "masked" : "exact";
    if (text.length <= INLINE_CHARACTERS) return { input: text, inputIs: whole };
    const input = text.slice(0, INLINE_CHARACTERS);
    if (decision?.answer !== "allow") return { input, inputIs: "cut" };
    try {
      this.#inputs.keep(hasSecrets ? `${sha256}.masked` : sha256, text);
      return { input, inputIs: "in a file" };
    } catch (error) {
      this.#options.log(`an input that was allowed is not kept: ${String(error)}`);
      return { input, inputIs: "cut" };
    }
  }

  #append(record: DecisionRecord): void {
    const { file, limitBytes = FILE_LIMIT_BYTES, log } = this.#options;
    if (file === undefined) return;
    const line = visibleJson(record);
    try {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > limitBytes) renameSync(file, `${file}.1`);
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      log(`a decision is not in the record: ${String(error)}: ${line}`);
    }
  }
}
