// A server that answers nonsense: every call ends, with an error that says so.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { SandboxError } from "../../../../src/sandbox-escalation/provider.ts";
import { openProvider, spec } from "./server-under-test.ts";

let server: Server | undefined;

/** Answers by the end of the path; what is not named gets `{}`. */
async function serve(answers: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname.replace("/v1/", "");
    const answer = Object.hasOwn(answers, path) ? answers[path] : {};
    if (typeof answer === "number") response.writeHead(answer);
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const made = { exitCode: 0, stdout: "x86_64\n/srv/box\n", timedOut: false };

describe("a sandbox-agent server that answers nonsense", () => {
  it.each([
    ["nothing", {}],
    ["no JSON", { "processes/run": "<html>" }],
    ["null", { "processes/run": null }],
    ["numbers", { "processes/run": { exitCode: "0", stdout: 5 } }],
    ["an error", { "processes/run": 500 }],
    ["another machine", { "processes/run": { ...made, stdout: "riscv64\n/srv\n" } }],
    ["a place that is none", { "processes/run": { ...made, stdout: "x86_64\n../..\n" } }],
    ["a process without a name", { "processes/run": made, processes: { processes: "none" } }],
    ["no process", { "processes/run": made, processes: 409 }],
  ])("%s", async (_what, answers) => {
    const provider = openProvider({ url: await serve(answers), token: "secret-token" });
    const error = await provider.create(spec).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(SandboxError);
    expect(String(error)).not.toContain("secret-token");
    expect(await provider.list("test").catch(() => [])).toEqual([]);
    await expect(provider.attach("0".repeat(24))).rejects.toBeInstanceOf(SandboxError);
  });

  it("has records that are none of ours", async () => {
    const ref = "0123456789abcdef01234567";
    const good = { owner: "test", vm: "vm", server: "1-1", createdAtMs: 5, endsAtMs: 6 };
    const lines = [
      `${ref} ${JSON.stringify(good)}`,
      `${ref} ${JSON.stringify({ ...good, owner: 5 })}`,
      `${ref} ${JSON.stringify({ ...good, createdAtMs: "x" })}`,
      `../../etc ${JSON.stringify(good)}`,
      `${ref} null`,
      `${ref} {"owner":"test"`,
      "",
      "nonsense",
    ];
    const run = { ...made, stdout: `${lines.join("\n")}\n` };
    const url = await serve({ "processes/run": run });
    const provider = openProvider({ url, token: "t" });
    expect(await provider.list("test")).toEqual([{ ref, vm: "vm", createdAtMs: 5, server: "1-1" }]);
  });

  it("is not usable", async () => {
    const provider = openProvider({ url: await serve({}), token: "t" });
    expect(await provider.probe()).toMatchObject({ isUsable: false });
  });
});
