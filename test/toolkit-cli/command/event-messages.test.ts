import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApprovalRequest, Approver, Vm, Vms } from "../../../src/vm/index.ts";
import { builtToolkits } from "../../support/built-toolkit-cli.ts";
import { built } from "../../support/built-vms.ts";

const { tool, toolkit } = builtToolkits;
const input = { type: "object", properties: {} } as const;

const guarded = toolkit("guarded", {
  description: "Tools that say more than their result.",
  tools: {
    remove: tool({ description: "Remove it.", approval: true, input, handler: () => "removed" }),
    pages: tool({
      description: "A page of many.",
      input,
      handler: (_: unknown, context) => {
        context.progress("reading");
        context.hint("more: --cursor\u001b[2J abc\nsecond line");
        return ["a"];
      },
    }),
  },
});

/** Asks nobody: answers as the test says. */
class TestApprover implements Approver {
  answer: "allow" | "deny" = "allow";
  readonly requests: ApprovalRequest[] = [];

  async request(
    request: ApprovalRequest,
    { onPending }: Parameters<Approver["request"]>[1],
  ): ReturnType<Approver["request"]> {
    this.requests.push(request);
    const { vm: name, pid, command, kind, subject, summary } = request;
    const times = { askedAt: 0, expiresAt: 1 };
    onPending?.({ id: "k7", vm: name, pid, command, kind, subject, summary, ...times });
    return { answer: this.answer, scope: "once", by: "test" };
  }

  forgetVm(): void {}
}

let vms: Vms;
let vm: Vm;
const approver = new TestApprover();

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  vm = await vms.create({ toolkits: [guarded], approvals: approver });
});

afterAll(async () => {
  await vms.close();
});

async function run(command: string) {
  const { stdout, stderr, exitCode } = await vm.exec(command);
  return { stdout, stderr, exitCode };
}

describe("beside a result", () => {
  it("an approval that was waited for leaves nothing in stderr", async () => {
    approver.answer = "allow";
    expect(await run("agentos-guarded remove")).toEqual({
      stdout: "removed\n",
      stderr: "",
      exitCode: 0,
    });
    expect(approver.requests.at(-1)).toMatchObject({
      kind: "tool",
      subject: "guarded:remove",
      command: "agentos-guarded remove",
    });
  });

  it("an approval that is refused is a denial", async () => {
    approver.answer = "deny";
    const { stdout, stderr, exitCode } = await run("agentos-guarded remove");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 77 });
    expect(stderr.split("\n")).toHaveLength(2);
  });

  it("a hint is one line without control characters, and progress is for terminals", async () => {
    expect(await run("agentos-guarded pages")).toEqual({
      stdout: '["a"]\n',
      stderr: "agentos-guarded pages: more: --cursor [2J abc second line\n",
      exitCode: 0,
    });
  });

  it("help says that a tool asks first", async () => {
    expect((await run("agentos-guarded --help")).stdout).toMatch(
      /\nremove {2}Remove it\. \(asks first\)\n/,
    );
    expect((await run("agentos-guarded remove --help")).stdout).toMatch(
      /\nSomebody has to agree to each call; /,
    );
  });
});
