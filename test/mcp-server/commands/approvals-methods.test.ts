import { expect, it } from "vitest";
import { ApprovalDesk } from "../../../src/mcp-server/approvals/approval-desk.ts";
import { watchApprovals } from "../../../src/mcp-server/commands/approvals-methods.ts";
import { encodeEvent } from "../../../src/mcp-server/control/call-events.ts";
import type { ControlCall } from "../../../src/mcp-server/control/methods.ts";
import { Approvals } from "../../../src/vm/approvals/approvals.ts";
import { linkStreams } from "../../support/linked-streams.ts";
import { outcome } from "../../support/waiter.ts";

const request = {
  vm: "one",
  pid: 7,
  command: "rm",
  kind: "fs",
  subject: "/home/user/x",
  summary: "remove /home/user/x",
};

it("ends the watch of a caller that does not read before too much waits for it", async () => {
  const approvals = new Approvals();
  const { server, cell } = linkStreams();
  const { outgoing } = server.open();
  cell.accept(1);
  const call = {
    approvals: async () => new ApprovalDesk(approvals),
    signal: new AbortController().signal,
    tell: (event) => outgoing.write(encodeEvent(event)),
  } as Pick<ControlCall, "approvals" | "signal" | "tell"> as ControlCall;
  const watching = watchApprovals({}, call);
  const askAndLeave = async (): Promise<void> => {
    const abort = new AbortController();
    const asked = approvals.request(request, { signal: abort.signal });
    abort.abort();
    await asked.catch(() => undefined);
  };
  for (let n = 0; n < 400; n++) await askAndLeave();
  expect(await outcome(watching)).toBe("waits");
  for (let n = 0; n < 2_000; n++) await askAndLeave();
  await expect(watching).rejects.toMatchObject({
    code: "WATCH_TOO_SLOW",
    message: "This watcher of approvals is too slow: 1000 events wait for it, which is the limit.",
  });
});
