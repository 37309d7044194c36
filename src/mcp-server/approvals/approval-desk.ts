// Where MCP calls learn which approvals their work waits for, and who has been told of them.
import { randomBytes } from "node:crypto";
import { type ElicitRequestFormParams, inputResponse } from "@modelcontextprotocol/server";
import { HostError } from "../../vm/host-error.ts";
import type { Approvals, PendingApproval } from "../../vm/index.ts";
import type { McpCall } from "../mcp-tool.ts";
import { type AskedForm, approvalForm, choiceIn } from "./approval-form.ts";
import { ExecOwners, type WaitingWork } from "./waiting-work.ts";

/** Work that a client has been asked about and goes on with by calling again. */
interface KeptWork {
  readonly work: WaitingWork;
  readonly asked: readonly string[];
  readonly rounds: number;
}

/** How a call goes on with work that the client was asked about. */
export interface Resumed {
  /** How often it has been asked. */
  readonly rounds: number;
  /** Whether the client left a question open: it is not asked the same again. */
  readonly isUnanswered: boolean;
}

/** What a client did with a form. */
export interface Elicited {
  readonly id: string;
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** Beyond it the oldest cannot be gone on with. */
const KEPT = 256;

export class ApprovalDesk {
  readonly approvals: Approvals;
  /** Approvals that some client knows of: it answered them, or has been shown them. */
  readonly #told = new Set<string>();
  readonly #kept = new Map<string, KeptWork>();
  readonly #owners = new ExecOwners();
  /** Which part of a long input a form shows next; the first where nothing is said. */
  readonly #parts = new Map<string, number>();

  constructor(approvals: Approvals) {
    this.approvals = approvals;
    approvals.on("settled", ({ id }) => {
      this.#told.delete(id);
      this.#parts.delete(id);
    });
  }

  formFor(pending: PendingApproval): ElicitRequestFormParams {
    return approvalForm(this.#formOf(pending));
  }

  /** Whether the form brought something: an answer, or the wish to see the next part, which the client is asked with again. */
  apply({ id, action, content }: Elicited, call: McpCall): boolean {
    const pending = this.approvals.find(id);
    // Somebody else was first.
    if (pending === undefined) return true;
    const asked = this.#formOf(pending);
    const choice = choiceIn(asked, action, content?.["decision"]);
    if (choice === undefined) return false;
    if (choice === "next part") {
      this.#parts.set(id, asked.part + 1);
      this.#told.delete(id);
    } else {
      const who = `${call.client.name} (MCP connection ${call.connection.id})`;
      this.approvals.decide(id, choice, who);
    }
    return true;
  }

  /** What a piece of work waits for. */
  async pendingOf(work: WaitingWork): Promise<PendingApproval[]> {
    const owned: PendingApproval[] = [];
    for (const pending of this.approvals.list()) {
      if (await this.#asksFor(work, pending)) owned.push(pending);
    }
    return owned.filter(({ id }) => this.approvals.find(id) !== undefined);
  }

  /** What it waits for and no client knows of. */
  async newOf(work: WaitingWork): Promise<PendingApproval[]> {
    return (await this.pendingOf(work)).filter(({ id }) => !this.#told.has(id));
  }

  /** A client is told of these: they interrupt no other wait. */
  markTold(pending: readonly PendingApproval[]): void {
    for (const { id } of pending) if (this.approvals.find(id) !== undefined) this.#told.add(id);
  }

  /** As pendingOf, for the answer to a client. */
  async tell(work: WaitingWork): Promise<PendingApproval[]> {
    const pending = await this.pendingOf(work);
    this.markTold(pending);
    return pending;
  }

  /** Calls back when somebody should look at newOf; the answer takes it back. */
  watch(work: WaitingWork, onNew: () => unknown, onError: (error: unknown) => void): () => void {
    const look = async (): Promise<void> => {
      if ((await this.newOf(work)).length > 0) onNew();
    };
    const start = (): void => {
      look().catch(onError);
    };
    start();
    return this.approvals.on("pending", start);
  }

  /** Keeps work for the call that brings a client's answers. The handle is the call's requestState. */
  keep(work: WaitingWork, asked: readonly string[], rounds: number): string {
    const handle = randomBytes(16).toString("hex");
    this.#kept.set(handle, { work, asked, rounds });
    if (this.#kept.size > KEPT) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return handle;
  }

  /**
   * The work that this call goes on with, its answers applied; undefined for a call that begins some.
   * Fails with CALL_GONE for a handle that is not ours or not kept any more: nothing is done twice.
   */
  resume(call: McpCall): (Resumed & { readonly work: WaitingWork }) | undefined {
    const handle = call.request.requestState<string>();
    if (handle === undefined) return undefined;
    const kept = this.#kept.get(handle);
    if (kept === undefined) throw new HostError("CALL_GONE");
    this.#kept.delete(handle);
    const unanswered = kept.asked.filter((id) => !this.#take(id, call));
    const isUnanswered = unanswered.some((id) => this.approvals.find(id) !== undefined);
    return { work: kept.work, rounds: kept.rounds, isUnanswered };
  }

  /** Takes the answer that a call brings; none, or a form that was closed, leaves the approval open. */
  #take(id: string, call: McpCall): boolean {
    const response = inputResponse(call.request.inputResponses, id);
    return response.kind === "elicit" && this.apply({ id, ...response }, call);
  }

  #formOf(pending: PendingApproval): AskedForm {
    const input = this.approvals.inputOf(pending.id);
    return { pending, input, part: this.#parts.get(pending.id) ?? 0 };
  }

  /** A VM that ends meanwhile has withdrawn what it asked for. */
  async #asksFor(work: WaitingWork, pending: PendingApproval): Promise<boolean> {
    try {
      return await work.asksFor(pending, this.#owners);
    } catch (error) {
      if (error instanceof HostError) return false;
      throw error;
    }
  }
}
