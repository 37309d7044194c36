import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { eventually } from "../../support/eventually.ts";
import { type PersonSaw, runAsPerson } from "../support/person.ts";

let server: InstalledServer;
beforeAll(() => {
  server = InstalledServer.install();
  const rules = [{ mode: "ask", operations: ["rm"], paths: ["/home/user/**"] }];
  const config = { vm: { permissions: { fs: { default: "allow", rules } } } };
  writeFileSync(join(server.home.directory, "config.json"), JSON.stringify(config));
});
afterAll(() => server.remove());

interface Output {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: string[]): Promise<Output> {
  const output = await server.run(args);
  return { ...output, stdout: output.stdout.toString() };
}

const approvals = (...args: string[]): Promise<Output> => run("approvals", ...args);

/** By a person at a terminal. */
const allow = (...args: string[]): Promise<PersonSaw> =>
  runAsPerson(server.command, ["approvals", "allow", ...args]);

interface Pending {
  readonly id: string;
  readonly subject: string;
}

async function waiting(count: number): Promise<Pending[]> {
  let all: Pending[] = [];
  await eventually(`${count} wait`, async () => {
    all = JSON.parse((await approvals("--json")).stdout) as Pending[];
    return all.length === count;
  });
  return all;
}

describe("agentos-mcp approvals", () => {
  it("starts no server to say that nothing waits", async () => {
    expect(await approvals()).toEqual({
      status: 0,
      stdout: "Nothing waits for approval.\n",
      stderr: "",
    });
    expect(await approvals("--json")).toMatchObject({ stdout: "[]\n" });
    expect(await approvals("allow", "bcdfgh")).toEqual({
      status: 1,
      stdout: "",
      stderr:
        'agentos-mcp: Nothing waits for approval as "bcdfgh". agentos-mcp approvals lists what waits.\n',
    });
    expect(server.home.records()).toEqual([]);
  });

  it("refuses words that make no sense", async () => {
    for (const words of [
      ["allow"],
      ["show"],
      ["agree", "x"],
      ["watch", "x"],
      ["allow", "x", "--vm", "--always"],
      ["allow", "x", "--full"],
      ["--vm"],
    ]) {
      const { status, stderr } = await approvals(...words);
      expect([status, stderr]).toEqual([2, expect.stringContaining("Use agentos-mcp approvals")]);
    }
  });

  it("lists, shows, allows and denies", async () => {
    const one = run("exec", "--vm", "one", "--", "touch a && rm a && echo gone");
    const [first] = await waiting(1);
    const two = run("exec", "--vm", "two", "--", "touch b; rm b; echo $?");
    const all = await waiting(2);
    const ids = all.map(({ id }) => id);
    const { stdout } = await approvals();
    expect(stdout.split("\n")).toEqual([
      "ID      VM   WAITS  WHAT",
      expect.stringMatching(new RegExp(`^${ids[0]} {2}one {2}\\d+ s {4,}fs: rm /home/user/a$`)),
      expect.stringMatching(new RegExp(`^${ids[1]} {2}two {2}\\d+ s {4,}fs: rm /home/user/b$`)),
      "Answer with agentos-mcp approvals allow ID [--vm | --always], or agentos-mcp approvals deny ID.",
      "",
    ]);
    const shown = await approvals("show", first?.id ?? "", "nothing");
    expect(shown.status).toBe(1);
    expect(shown.stdout).toMatch(/^what: +fs: rm \/home\/user\/a$/m);
    expect(shown.stdout).toMatch(/^process: +\d+ rm a$/m);
    expect(shown.stdout).toMatch(/^remembered as: +permission fs rm \/home\/user\/a$/m);
    expect(shown.stderr).toContain('Nothing waits for approval as "nothing".');
    expect(await approvals("allow", ids[0] ?? "")).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "agentos-mcp: Only a person at a terminal can allow this. Run it yourself, in a terminal that you have opened.\n",
    });
    const { status, text } = await allow(ids[0] ?? "");
    expect([status, text.split("\n")]).toEqual([
      0,
      [
        'Allow in the VM "one": fs: rm /home/user/a?',
        expect.stringMatching(/^asked for by the process \d+: rm a$/),
        "Your answer covers this call and no other.",
        expect.stringMatching(
          /^To allow it once, type (\d{4})\. Anything else leaves it open\. Code: \1$/,
        ),
        "Allowed once: fs: rm /home/user/a",
        "",
      ],
    ]);
    expect(await approvals("deny", ids[1] ?? "")).toMatchObject({ status: 0 });
    const told = `waiting for approval: fs: rm /home/user/a; as ${ids[0]}`;
    expect(await one).toEqual({
      status: 0,
      stdout: "gone\n",
      stderr: `agentos-mcp: Created the VM "one".\nagentos-mcp: ${told}\n`,
    });
    expect(await two).toMatchObject({ status: 0, stdout: "1\n" });
    const late = await allow(ids[1] ?? "");
    expect(late.status).toBe(1);
    expect(late.text).toMatch(/is not open any more: denied by agentos-mcp approvals \(.+\)\./);
  });

  it("remembers always in a private file, and forgets it again", async () => {
    const command = ["exec", "--vm", "one", "--", "touch c; rm c; echo $?"];
    const asked = run(...command);
    const [pending] = await waiting(1);
    await allow(pending?.id ?? "", "--always");
    expect(await asked).toMatchObject({ stdout: "0\n" });
    expect(await run(...command)).toMatchObject({ stdout: "0\n" });
    expect(statSync(join(server.home.directory, "approvals.json")).mode & 0o777).toBe(0o600);
    const remembered = await approvals("remembered");
    expect(remembered.stdout).toMatch(
      /^ANSWER {2}KIND +SUBJECT +BY +SINCE\nallow +permission +fs rm \/home\/user\/c +agentos-mcp approvals/,
    );
    expect(await approvals("revoke", "fs", "rm", "/home/user/c")).toEqual({
      status: 0,
      stdout: "Forgot: allow permission fs rm /home/user/c\n",
      stderr: "",
    });
    expect(await approvals("revoke", "x")).toMatchObject({ status: 1 });
    const hidden = run("exec", "--vm", "one", "--", 'n=$\'c\\e[2K\'; touch "$n"; rm "$n"; true');
    const [asking] = await waiting(1);
    await allow(asking?.id ?? "", "--always");
    await hidden;
    expect((await approvals("remembered")).stdout).toContain("fs rm /home/user/c\\u{1b}[2K ");
    const revoked = await approvals("revoke", "fs", "rm", "/home/user/c\\u{1b}[2K");
    expect(revoked.stdout).toBe("Forgot: allow permission fs rm /home/user/c\\u{1b}[2K\n");
    const again = run(...command);
    const [next] = await waiting(1);
    await approvals("deny", next?.id ?? "", "--vm");
    expect(await again).toMatchObject({ stdout: "1\n" });
    expect(await run(...command)).toMatchObject({ stdout: "1\n" });
  });

  it("watches, and shows a guest's text as what it is", async () => {
    const { command, args, cwd, env } = server.command;
    const watching = spawn(command, [...args, "approvals", "watch"], { cwd, env });
    let seen = "";
    watching.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
    });
    const asked = run(
      "exec",
      "--vm",
      "one",
      "--",
      'n=$\'x\\n\\e[2Kok\'; touch "$n"; rm "$n"; true',
    );
    const [pending] = await waiting(1);
    const id = pending?.id ?? "";
    expect(pending?.subject).toBe("fs rm /home/user/x\\n\\u{1b}[2Kok");
    await eventually("it is seen", () => seen.includes(id));
    await approvals("deny", id);
    await asked;
    await eventually("the answer is seen", () => seen.includes("denied by"));
    expect(seen).toMatch(
      new RegExp(
        `^${id} {2}fs: rm /home/user/x\\\\n\\\\u\\{1b\\}\\[2Kok \\(VM one\\)\n {8}agentos-mcp approvals allow ${id}\n` +
          `${id} {2}denied by agentos-mcp approvals \\(.+\\)\n$`,
      ),
    );
    watching.kill("SIGINT");
    await once(watching, "close");
  });

  it("cannot be reached from a VM: neither the command nor its socket is there", async () => {
    const tries = [
      "command -v agentos-mcp",
      `ls ${server.home.directory}`,
      "ls /dev /run /tmp | grep -i -e approv -e sock",
    ];
    for (const attempt of tries) {
      expect(await run("exec", "--vm", "one", "--", attempt)).toMatchObject({ stdout: "" });
    }
  });
});
