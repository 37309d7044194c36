// VMs with sandboxes; the clients are MCP tools.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { unless } from "../../support/unless.ts";
import { ownVm } from "../tools/tool-box.ts";
import { noSandboxes, Station } from "./station.ts";

const program = `#include <stdio.h>
int main() { int c; while ((c = getchar()) != EOF) putchar(c + 1); return 3; }`;

describe("a VM with a sandbox", unless(noSandboxes), () => {
  let station: Station;
  const sh = (command: string) => station.sh("one", command);
  beforeAll(() => {
    station = new Station({ commands: ["uname"], limits: { memoryMb: 512 } });
  });
  afterAll(() => station.close());

  it("has its files before there is a sandbox, and starts none by reading and writing them", async () => {
    expect(
      await sh("echo kept > /sandbox/note && cat /sandbox/note && ls -l /sandbox | wc -l"),
    ).toEqual({
      stdout: "kept\n2\n",
      stderr: "",
      exitCode: 0,
    });
    expect(station.sandboxes.get("one").state).toBe("none");
  });

  it("says where a command is that it does not have, in one line, and starts nothing", async () => {
    expect(await sh("gcc a.c; gcc 2>/dev/null; nosuch")).toEqual({
      stdout: "",
      stderr:
        "bash: line 1: gcc: command not found\n" +
        "gcc: not in this VM; its sandbox may have it, with files in /sandbox: sandbox exec -- gcc\n" +
        "bash: line 1: nosuch: command not found\n",
      exitCode: 127,
    });
    expect(station.sandboxes.get("one").state).toBe("none");
  });

  it("compiles a program of the VM's, and runs it in a pipeline of the VM's", async () => {
    const made = await sh(
      `cd /sandbox && cat > a.c <<'END'\n${program}\nEND\nsandbox exec -- gcc a.c -o a && test -x a && echo HAL | sandbox exec ./a | tr A-Z a-z; echo " \${PIPESTATUS[@]}"`,
    );
    expect(made).toEqual({ stdout: "ibm\u000b 0 3 0\n", stderr: "", exitCode: 0 });
  });

  it("means the same files by either name, here and there", async () => {
    const line =
      "mkdir -p /workspace/same; cd /workspace/same; echo 'int main(void) { return 9; }' > b.c; " +
      "sandbox exec pwd; sandbox exec -- gcc /workspace/same/b.c -o /sandbox/same/b; sandbox exec /sandbox/same/b; echo $?; " +
      "sandbox exec ln -s /workspace/same/b.c link; cat link; sandbox exec -- rm -r /sandbox/same; ls -A /workspace/same";
    expect(await sh(line)).toMatchObject({
      stdout: "/workspace/same\n9\nint main(void) { return 9; }\n",
      stderr: "ls: cannot access '/workspace/same': No such file or directory\n",
    });
  });

  it("passes on status, signals, directories and variables, and only those that are named", async () => {
    const results = await sh(
      [
        "sandbox exec -- sh -c 'exit 42'; echo $?",
        "sandbox exec -- sh -c 'kill -TERM $$'; echo $?",
        "sandbox exec -- nosuch 2>/dev/null; echo $?",
        "mkdir -p /sandbox/sub; cd /sandbox/sub; sandbox exec pwd; sandbox exec -C /tmp pwd; sandbox exec -C .. pwd",
        "export A=1 B=2; sandbox exec -e A -e C=3 -- sh -c 'echo $A,$B,$C'",
        "uname -n",
      ].join("\n"),
    );
    expect(results.stdout).toBe("42\n143\n127\n/workspace/sub\n/tmp\n/workspace\n1,,3\nsandbox\n");
  });

  it("refuses a command of the sandbox's where its directory is not there, and says what to do", async () => {
    expect(
      await sh("cd ~; uname > made; echo $?; uname --version | head -n 1; ls made /sandbox/made"),
    ).toEqual({
      stdout: expect.stringMatching(/^125\nuname \(.*\nmade\n$/),
      stderr:
        "uname: uname runs in the sandbox, where /home/user is not; do this in /sandbox (cd /sandbox), or run it there from here: sandbox exec -C /sandbox uname\n" +
        "ls: cannot access '/sandbox/made': No such file or directory\n",
      exitCode: 2,
    });
  });

  it("has servers that programs of the VM reach", async () => {
    const server =
      "$|=1; $s = IO::Socket::INET->new(LocalAddr => q(127.0.0.1), LocalPort => 8097, Listen => 5) or die; print qq(up\\n); while ($c = $s->accept) { $l = <$c>; print $c qq(got $l); close $c }";
    const started = await station.sh(
      "served",
      `sandbox exec -d -- perl -MIO::Socket::INET -e '${server}' > id; until sandbox logs $(cat id) | grep -q up; do sleep 0.05; done`,
    );
    expect(started).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    const asked = await station.sh(
      "served",
      [
        "tcpserver -1 127.0.0.1 8098 sandbox connect 8097 > port & until [ -s port ]; do sleep 0.05; done",
        "for word in one two; do exec 3<>/dev/tcp/127.0.0.1/8098; echo $word >&3; cat <&3; exec 3>&-; done",
        "kill %1; sandbox kill $(cat id); sandbox connect 70000; sandbox connect x",
      ].join("\n"),
    );
    expect(asked).toEqual({
      stdout: "got one\ngot two\n",
      stderr:
        'sandbox: "70000" is not a port; see: sandbox help\nsandbox: "x" is not a port; see: sandbox help\n',
      exitCode: 2,
    });
  });

  it("holds back a flood, ends it with its reader, and forwards signals", async () => {
    expect(await sh("sandbox exec -- yes | head -c 3; echo ${PIPESTATUS[@]}")).toMatchObject({
      stdout: "y\ny141 0\n",
    });
    expect(await sh("yes | sandbox exec -- cat | head -c 3000000 | wc -c")).toMatchObject({
      stdout: "3000000\n",
    });
    expect(
      await sh(
        "timeout -s INT 1 sandbox exec -- sh -c 'trap \"echo got; exit 9\" INT; while :; do sleep 0.1; done'",
      ),
    ).toMatchObject({
      stdout: "got\n",
    });
  });

  it("copies inside it, directories too, and says whose files those are", async () => {
    const script =
      "mkdir -p /sandbox/from/in; cd /sandbox; sandbox cp -r from to && ls to; sandbox cp /nosuch from; sandbox cp -x a b; sandbox cp --help | head -1";
    expect(await sh(script)).toEqual({
      stdout: "in\nusage: sandbox <command>\n",
      stderr: expect.stringMatching(
        /^cp: .*nosuch.*\nsandbox: paths that are not below \/sandbox are the sandbox's own; .*\nsandbox: there is no option -x here; .*\n$/,
      ),
      exitCode: 0,
    });
  });

  it("copies what is in a directory, asks for one, and takes no name for nothing, as cp does", async () => {
    const script =
      "cd /sandbox; mkdir -p inside/of there; echo 1 > inside/f; sandbox cp inside/. there; sandbox cp inside/. /sandbox/there/; ls there; " +
      "cd inside; mkdir ../all; sandbox cp . ../all; ls ../all; sandbox cp f nowhere/; sandbox cp '' ../all";
    expect(await sh(script)).toEqual({
      stdout: "f\nof\nf\nof\n",
      stderr: expect.stringMatching(
        /^cp: cannot create regular file '\/workspace\/inside\/nowhere\/': Not a directory\ncp: cannot stat '': No such file or directory\n/,
      ),
      exitCode: 1,
    });
  });

  it("runs detached processes, lists, shows and ends them", async () => {
    const result = await sh(
      "id=$(sandbox exec -d -- sh -c 'echo begun; sleep 600'); " +
        "until sandbox logs $id | grep begun; do :; done; sandbox ps | grep -c running; " +
        "sandbox kill -KILL $id; sandbox logs -f $id > /dev/null; sandbox ps | grep -o 'ended by SIGKILL'; sandbox kill $id; sandbox kill 99",
    );
    expect(result).toEqual({
      stdout: "begun\n1\nended by SIGKILL\n",
      stderr: expect.stringMatching(
        /^sandbox: process \d+ has ended\nsandbox: There is no process 99 in the sandbox.\n$/,
      ),
      exitCode: 125,
    });
  });

  it("ends those of several processes that still run", async () => {
    const result = await sh(
      "a=$(sandbox exec -d true); sandbox logs -f $a; b=$(sandbox exec -d sleep 600); " +
        "sandbox kill $a $b 2>&1 | tr -d 0-9; sandbox logs -f $b; sandbox ps | grep -c 'ended by SIGTERM'",
    );
    expect(result).toEqual({ stdout: "sandbox: process  has ended\n1\n", stderr: "", exitCode: 0 });
  });

  it("offers the same to scripts, with agentOS's names", async () => {
    const ran = await sh(
      "agentos-sandbox run-command --command sh --args -c --args 'echo out; echo err >&2; exit 5'",
    );
    expect(JSON.parse(ran.stdout)).toMatchObject({
      stdout: "out\n",
      stderr: "err\n",
      exitCode: 5,
      timedOut: false,
    });
    const line = await sh("agentos-sandbox run-command --command 'npm install'");
    expect(line.stderr).toContain("command is one program; for a shell line:");
    const late = await sh("agentos-sandbox run-command --command sleep --args 600 --timeout-ms 50");
    expect(JSON.parse(late.stdout)).toMatchObject({ exitCode: 137, timedOut: true });
    const cat = JSON.parse((await sh("agentos-sandbox create-process --command cat")).stdout) as {
      id: string;
    };
    await sh(`agentos-sandbox send-input --id ${cat.id} --data hello --close`);
    await eventually("cat has ended", async () => {
      const { stdout } = await sh(`agentos-sandbox get-process-logs --id ${cat.id}`);
      return stdout.includes('"text":"hello"') && stdout.includes('"isRunning":false');
    });
  });

  it("keeps files when it stops, and goes on with the next command", async () => {
    expect(await sh("sandbox stop; cat /sandbox/note; sandbox exec cat note")).toMatchObject({
      stdout: "stopped; files are kept, processes ended\nkept\nkept\n",
    });
    const stopped = "sandbox exec sh -c 'echo up; exec sleep 600' | (read up; sandbox stop)";
    expect((await sh(stopped)).stderr).toContain("sandbox: ended with the sandbox: sandbox stop\n");
    await sh("sandbox start");
    expect((await sh("sandbox status")).stdout).toContain(
      "running; /sandbox here is /workspace there",
    );
  });

  it("refuses what it does not understand", async () => {
    const bad = [
      "",
      "exc ls",
      "exec",
      "exec -x ls",
      "exec -e",
      "exec -e =1 ls",
      "exec -e NOPE ls",
      "kill -FOO 1",
      "logs",
      "cp /etc/hostname",
    ];
    for (const words of bad) {
      expect(await sh(`sandbox ${words}`)).toMatchObject({ stdout: "", exitCode: 2 });
    }
    expect((await sh("sandbox exec -e NOPE ls")).stderr).toBe(
      "sandbox: NOPE is not exported in this shell\n",
    );
    expect((await sh("sandbox snapshot x")).stderr).toBe(
      "sandbox: One with the host's tools keeps no snapshots.\n",
    );
  });

  it("is listed with its VM, and opened by sandbox_open", async () => {
    const opened = await station.box.structured("sandbox_open", {
      vm_id: "one",
      reason: "to compile",
    });
    expect(opened).toMatchObject({
      state: "running",
      provider: "local",
      mount: "/sandbox",
      memory_mb: 512,
    });
    expect(await station.box.structured("vm_list", { vm_id: "one" })).toMatchObject({
      vms: [{ sandbox: { state: "running", provider: "local", processes: 0 } }],
    });
  });

  it("has one of its own, that ends with it", async () => {
    await station.sh("two", "echo secret > /sandbox/own; sandbox exec -d sleep 600");
    expect((await sh("ls /sandbox; sandbox exec ls /workspace")).stdout).not.toContain("own");
    const sandbox = station.sandboxes.get("two").current;
    await station.box.vms.get("two").destroy();
    await eventually("its sandbox is gone", () =>
      station.records().includes(`"destroyed","facts":{"ref":"${sandbox?.ref}"`),
    );
    expect(() => station.sandboxes.get("two")).toThrow("Only a VM has a sandbox.");
  });
});

describe("a sandbox that somebody must agree to", unless(noSandboxes), () => {
  let station: Station;
  beforeAll(() => {
    station = new Station({ policy: "ask", perVm: { starts: 1 } });
  });
  afterAll(() => station.close());

  it("waits for the answer, which may come from another client, with reason, limits and cost", async () => {
    const waiting = await station.box.structured("sandbox_open", { reason: "to build it" });
    const [pending] = station.approvals.list();
    expect(pending).toMatchObject({
      kind: "escalation",
      subject: "sandbox local",
      reason: "to build it",
      details: { provider: "local", network: "none", cost: "none" },
    });
    expect(waiting).toMatchObject({ state: "starting", pending: [{ approval: pending?.id }] });
    const running = station.sh(ownVm, "sandbox exec echo ran");
    station.approvals.decide(pending?.id ?? "", { answer: "allow", scope: "once" }, "me");
    expect(await running).toEqual({ stdout: "ran\n", stderr: "", exitCode: 0 });
  });

  it("does not start where somebody denies it, nor beyond its limits", async () => {
    const running = station.sh("other", "sandbox exec echo ran");
    await eventually("somebody is asked", () => station.approvals.list().length === 1);
    station.approvals.decide(
      station.approvals.list()[0]?.id ?? "",
      { answer: "deny", scope: "once" },
      "me",
    );
    expect(await running).toEqual({
      stdout: "",
      stderr: "sandbox: Nobody agreed to a sandbox (local): denied by me.\n",
      exitCode: 126,
    });
    const again = await station.sh(ownVm, "sandbox stop > /dev/null; sandbox exec echo ran");
    expect(again).toEqual({
      stdout: "",
      stderr:
        "sandbox: No sandbox is started: sandboxes of the VM were started 1 times, the limit.\n",
      exitCode: 125,
    });
    expect(await station.box.texts("sandbox_open", { reason: "again" })).toEqual([
      expect.stringContaining(`The VM "${ownVm}" cannot have a sandbox: No sandbox is started`),
    ]);
  });
});

describe("what a killed server leaves behind", unless(noSandboxes), () => {
  it("is cleared by the next: nothing of it runs or lies about", async () => {
    const home = mkdtempSync(join(tmpdir(), "sandboxes-"));
    const script = join(import.meta.dirname, "../fixtures/sandbox-to-kill.ts");
    const server = spawn(process.execPath, ["--no-warnings", script, home], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ref = String((await once(server.stdout, "data"))[0]).trim();
    server.kill("SIGKILL");
    await once(server, "close");
    expect(readdirSync(join(home, "sandboxes", "local"))).toContain(ref);
    expect(readdirSync(join(home, "sandboxes", "workspaces")).length).toBe(1);
    const station = new Station({}, home);
    await eventually("all is cleared", () => {
      const local = readdirSync(join(home, "sandboxes", "local"));
      return (
        !local.includes(ref) && readdirSync(join(home, "sandboxes", "workspaces")).length === 0
      );
    });
    expect(station.records()).toContain(`"kind":"reaped","facts":{"ref":"${ref}"`);
    await station.close();
  });
});
