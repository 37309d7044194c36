import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/toolkit-cli/json-schema.ts";
import { showInput } from "../../../src/toolkit-cli/show-input.ts";
import type { ApprovalRequest, PendingApproval } from "../../../src/vm/approvals/approval.ts";
import { type ApprovalInput, approvalInput } from "../../../src/vm/approvals/approval-input.ts";
import { Approvals } from "../../../src/vm/approvals/approvals.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "approvals-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function files(): { rememberedFile: string; decisionsFile: string } {
  return {
    rememberedFile: join(directory, "remembered.json"),
    decisionsFile: join(directory, "decisions.jsonl"),
  };
}

function decisions(): Record<string, unknown>[] {
  const lines = readFileSync(files().decisionsFile, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

function inputOf(value: JsonValue): ApprovalInput {
  return approvalInput(JSON.stringify(value), showInput({}, value));
}

const deletion: ApprovalRequest = {
  vm: "one",
  pid: 7,
  command: "agentos-project",
  kind: "tool",
  subject: "project:delete-issue",
  summary: "project: delete-issue",
  input: inputOf({ id: 3 }),
};

interface Asked {
  readonly decision: ReturnType<Approvals["request"]>;
  readonly pending: PendingApproval | undefined;
  readonly abort: AbortController;
}

function ask(approvals: Approvals, changes: Partial<ApprovalRequest> = {}): Asked {
  const abort = new AbortController();
  let pending: PendingApproval | undefined;
  const decision = approvals.request(
    { ...deletion, ...changes },
    { signal: abort.signal, onPending: (known) => (pending = known) },
  );
  decision.catch(() => undefined);
  return { decision, pending, abort };
}

const idOf = ({ pending }: Asked): string => pending?.id ?? "none";

describe("Approvals", () => {
  it("lets a request wait until somebody decides, once", async () => {
    const approvals = new Approvals(files());
    const asked = ask(approvals);
    expect(approvals.list()).toEqual([asked.pending]);
    expect(asked.pending).toMatchObject({
      vm: "one",
      pid: 7,
      input: '{\n  "id": 3\n}',
      isInputWhole: true,
    });
    approvals.decide(idOf(asked), { answer: "allow", scope: "once" }, "me");
    expect(await asked.decision).toEqual({ answer: "allow", scope: "once", by: "me" });
    expect(approvals.list()).toEqual([]);
    expect(ask(approvals).pending).toBeDefined();
    expect(decisions()).toEqual([
      expect.objectContaining({
        outcome: "allow",
        scope: "once",
        by: "me",
        subject: deletion.subject,
      }),
    ]);
    expect(statSync(files().decisionsFile).mode & 0o777).toBe(0o600);
  });

  it("takes no answer for another input than the one that waits", async () => {
    const approvals = new Approvals(files());
    const asked = ask(approvals);
    const other = inputOf({ id: 4 }).sha256;
    const allow = { answer: "allow", scope: "once" } as const;
    expect(() => approvals.decide(idOf(asked), { ...allow, inputSha256: other }, "me")).toThrow(
      "is not what was shown",
    );
    expect(approvals.list()).toEqual([asked.pending]);
    const inputSha256 = inputOf({ id: 3 }).sha256;
    approvals.decide(idOf(asked), { ...allow, inputSha256 }, "me");
    expect(await asked.decision).toMatchObject({ answer: "allow" });
    expect(decisions()).toMatchObject([{ input: '{"id":3}', inputIs: "exact", inputSha256 }]);
  });

  it("takes the first answer and tells who comes later", async () => {
    const approvals = new Approvals();
    const asked = ask(approvals);
    approvals.decide(idOf(asked), { answer: "deny", scope: "once" }, "me");
    expect(() => approvals.decide(idOf(asked), { answer: "allow", scope: "once" }, "you")).toThrow(
      `The approval "${idOf(asked)}" is not open any more: denied by me.`,
    );
    expect(await asked.decision).toMatchObject({ answer: "deny" });
    expect(() => approvals.decide("zzz", { answer: "allow", scope: "once" }, "you")).toThrow(
      'Nothing waits for approval as "zzz".',
    );
  });

  it("remembers an answer for a VM until it is destroyed, for the same kind and subject only", async () => {
    const approvals = new Approvals();
    const asked = ask(approvals);
    const waiting = ask(approvals, { pid: 8 });
    approvals.decide(idOf(asked), { answer: "allow", scope: "vm" }, "me");
    const remembered = { answer: "allow", scope: "vm", by: "remembered: me" };
    expect(await waiting.decision).toEqual(remembered);
    const again = ask(approvals, { input: inputOf({ id: 4 }) });
    expect(again.pending).toBeUndefined();
    expect(await again.decision).toEqual(remembered);
    expect(ask(approvals, { vm: "two" }).pending).toBeDefined();
    expect(ask(approvals, { kind: "permission" }).pending).toBeDefined();
    expect(ask(approvals, { subject: "project:delete" }).pending).toBeDefined();
    approvals.forgetVm("one");
    expect(ask(approvals).pending).toBeDefined();
  });

  it("remembers always in a file of its owner, for later servers, until it is revoked", async () => {
    const approvals = new Approvals(files());
    const asked = ask(approvals);
    const other = ask(approvals, { vm: "two" });
    approvals.decide(idOf(asked), { answer: "deny", scope: "always" }, "me");
    expect(await other.decision).toMatchObject({ answer: "deny", by: "remembered: me" });
    expect(statSync(files().rememberedFile).mode & 0o777).toBe(0o600);
    const later = new Approvals(files());
    expect(await ask(later, { vm: "three" }).decision).toMatchObject({
      answer: "deny",
      scope: "always",
    });
    expect(later.remembered()).toEqual([
      expect.objectContaining({
        kind: "tool",
        subject: deletion.subject,
        answer: "deny",
        by: "me",
      }),
    ]);
    expect(later.revoke("tool", deletion.subject)).toBe(true);
    expect(later.revoke("tool", deletion.subject)).toBe(false);
    expect(ask(approvals, { vm: "four" }).pending).toBeDefined();
  });

  it("holds nothing for granted when the file is damaged, and keeps it", () => {
    const { rememberedFile } = files();
    for (const text of ["{", '{"approvals":[{"kind":"tool"}]}', "[]", "null"]) {
      writeFileSync(rememberedFile, text);
      const lines: string[] = [];
      const approvals = new Approvals({ ...files(), log: (line) => lines.push(line) });
      const asked = ask(approvals);
      expect(asked.pending).toBeDefined();
      expect(lines).toEqual([expect.stringContaining("cannot be read, so none holds")]);
      approvals.decide(idOf(asked), { answer: "allow", scope: "always" }, "me");
      expect(readFileSync(`${rememberedFile}.damaged`, "utf8")).toBe(text);
      expect(approvals.remembered()).toHaveLength(1);
    }
  });

  it("denies what is beyond its limits, and what nobody answers in time", async () => {
    const approvals = new Approvals({ pendingPerVm: 2, pendingTotal: 3 });
    const limit = { answer: "deny", scope: "once", by: "limit" };
    ask(approvals);
    const second = ask(approvals);
    expect(await ask(approvals).decision).toEqual(limit);
    expect(ask(approvals, { vm: "two" }).pending).toBeDefined();
    expect(await ask(approvals, { vm: "three" }).decision).toEqual(limit);
    second.abort.abort();
    expect(ask(approvals, { vm: "three" }).pending).toBeDefined();
    const hasty = ask(new Approvals({ expiryMs: 1, ...files() }));
    const keepAlive = setInterval(() => undefined, 1000);
    expect(await hasty.decision).toEqual({ answer: "deny", scope: "once", by: "expired" });
    clearInterval(keepAlive);
    expect(decisions()).toEqual([expect.objectContaining({ outcome: "deny", by: "expired" })]);
  });

  it("takes a request back when nobody waits for it", async () => {
    const approvals = new Approvals(files());
    const settled: unknown[] = [];
    approvals.on("settled", (pending, decision) => settled.push([pending.id, decision]));
    const asked = ask(approvals);
    asked.abort.abort(new Error("the process has ended"));
    await expect(asked.decision).rejects.toThrow("the process has ended");
    expect(approvals.list()).toEqual([]);
    expect(settled).toEqual([[idOf(asked), undefined]]);
    expect(() => approvals.decide(idOf(asked), { answer: "allow", scope: "always" }, "me")).toThrow(
      "who asked no longer waits",
    );
    expect(approvals.remembered()).toEqual([]);
    await expect(
      approvals.request(deletion, { signal: AbortSignal.abort(new Error("before")) }),
    ).rejects.toThrow("before");
    expect(decisions().map(({ outcome }) => outcome)).toEqual(["withdrawn"]);
  });

  it("shows hostile text as what it is, and never remembers half a subject", async () => {
    const approvals = new Approvals(files());
    const asked = ask(approvals, {
      command: "\u001b]0;x\u0007",
      subject: `x${"y".repeat(5000)}`,
      summary: "ok?\n\u001b[2Aapproved",
      reason: "\u202etrust me",
      details: { "co\nst": "0\r" },
      input: inputOf({ text: "\u001b[31m" }),
    });
    expect(asked.pending).toMatchObject({
      command: "\\u{1b}]0;x\\u{7}",
      summary: "ok?\\n\\u{1b}[2Aapproved",
      reason: "\\u{202e}trust me",
      details: { "co\\nst": "0\\r" },
      input: '{\n  "text": "\\u001b[31m"\n}',
    });
    approvals.decide(idOf(asked), { answer: "allow", scope: "always" }, "me");
    expect(await asked.decision).toEqual({ answer: "allow", scope: "once", by: "me" });
    expect(approvals.remembered()).toEqual([]);
  });
});
