import { KernelError } from "../abi/kernel-error.ts";
import type { Process } from "../process/process.ts";
import { ProcessEnded } from "../process/process-ended.ts";
import type { Decision, Operation, Scope } from "./policy.ts";

/** The longest subject and command of a question: no path is longer, see PATH_MAX. */
const QUESTION_CHARACTERS = 4096;

export interface Access<S extends Scope> {
  readonly process: Process;
  /** The system call that asks. */
  readonly call: string;
  readonly scope: S;
  readonly operation: Operation<S>;
  readonly subject: string;
}

/**
 * Lets a call go on or fails it with EACCES, and records the decision. True when the host was asked, which is
 * waited for: time has passed, and what was looked up before must be looked up again.
 */
export function requirePermission<S extends Scope>(access: Access<S>): false | Promise<true> {
  const { process, scope, operation, subject } = access;
  if (process.isTrusted) return false;
  const decision = process.kernel.policy.decide(scope, operation, subject);
  if (decision.mode !== "ask") {
    conclude(access, decision.mode, decision.rule);
    return false;
  }
  return requireConsent(access, decision);
}

async function requireConsent<S extends Scope>(
  access: Access<S>,
  decision: Decision,
): Promise<true> {
  conclude(access, await ask(access, decision), `ask: ${decision.rule}`);
  return true;
}

/** Fails the call with EACCES in the name of a rule, and records it. */
export function refuse<S extends Scope>(access: Access<S>, rule: string): void {
  conclude(access, "deny", rule);
}

/** Waits no longer than the process lives, whatever the host does. */
async function ask<S extends Scope>(
  access: Access<S>,
  decision: Decision,
): Promise<"allow" | "deny"> {
  const { process, scope, operation, subject } = access;
  const { limits, host } = process.kernel;
  const { pid, signal } = process;
  if (signal.aborted) throw new ProcessEnded(pid);
  limits.charge("maxPendingAsks");
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new ProcessEnded(pid));
  signal.addEventListener("abort", end);
  try {
    const command = clip(process.argv.join(" "));
    const about = clip(subject);
    const question = host.ask({ pid, command, scope, operation, subject: about }, signal);
    return await Promise.race([question, ended]);
  } catch (cause) {
    if (cause instanceof ProcessEnded) throw cause;
    host.log({ level: "warning", message: `no answer for ${decision.rule}; denied`, cause });
    return "deny";
  } finally {
    signal.removeEventListener("abort", end);
    limits.discharge("maxPendingAsks");
  }
}

/** What is asked must fit a message, whatever a guest calls its variables and arguments. */
function clip(text: string): string {
  return text.length <= QUESTION_CHARACTERS ? text : `${text.slice(0, QUESTION_CHARACTERS - 1)}…`;
}

function conclude<S extends Scope>(
  access: Access<S>,
  outcome: "allow" | "deny",
  rule: string,
): void {
  const { process, call, scope, operation, subject } = access;
  process.kernel.audit.add({
    timeMs: process.kernel.host.now(),
    pid: process.pid,
    command: process.comm,
    call,
    scope,
    operation,
    subject,
    outcome,
    rule,
  });
  if (outcome === "allow") return;
  throw new KernelError("EACCES", subject, `blocked by ${scope}.${operation} policy (${rule})`);
}
