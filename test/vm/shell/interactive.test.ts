import { describe, expect, it } from "vitest";
import { decodeText, encodeText, makeCredentials, type Sys } from "../../../src/kernel/index.ts";
import { defaultEnvironment } from "../../../src/vm/image/image.ts";
import { boot } from "../../support/boot.ts";

const LIMIT_MS = 8000;

/** A shell at a terminal of its own, and the screen it writes to. */
async function openShell() {
  const machine = await boot();
  const sys: Sys = machine.kernel.sysOf(machine.kernel.enterAs(makeCredentials(1000, 1000)));
  const { master, slave } = await sys.openpty({ rows: 24, cols: 80 });
  const pid = await sys.clone(
    async (child) => {
      await child.setsid();
      await child.ioctl(slave, { request: "TIOCSCTTY" });
      for (const fd of [0, 1, 2]) await child.dup2(slave, fd);
      for (const fd of [master, slave]) if (fd > 2) await child.close(fd);
      await child.chdir("/home/user");
      const env = new Map([...defaultEnvironment, ["PS1", "$ "]]);
      return child.exec({ path: "/bin/bash", argv: ["bash", "--norc", "-i"], env });
    },
    { fds: [] },
  );
  await sys.close(slave);
  let screen = "";
  let seen = 0;
  const until = async (wanted: string): Promise<string> => {
    const end = performance.now() + LIMIT_MS;
    const buffer = new Uint8Array(4096);
    while (!screen.slice(seen).includes(wanted)) {
      const [ready = 0] = await sys.poll(
        [{ fd: master, events: 1 }],
        Math.max(1, end - performance.now()),
      );
      if (ready === 0)
        throw new Error(`no ${JSON.stringify(wanted)} on the screen: ${JSON.stringify(screen)}`);
      screen += decodeText(buffer.slice(0, await sys.read(master, buffer)));
    }
    const shown = screen.slice(seen, screen.indexOf(wanted, seen) + wanted.length);
    seen += shown.length;
    return shown;
  };
  const type = (text: string) => sys.write(master, encodeText(text));
  const ended = () => sys.wait({ pid });
  return { until, type, ended };
}

describe("an interactive shell", () => {
  it("prompts, runs what is typed and leaves at end of input", async () => {
    const { until, type, ended } = await openShell();
    await until("$ ");
    await type("echo a $((1+1))\n");
    expect(await until("$ ")).toBe("echo a $((1+1))\r\na 2\r\n$ ");
    await type("if true\n");
    await until("> ");
    await type("then echo multi; fi\n");
    expect(await until("$ ")).toBe("then echo multi; fi\r\nmulti\r\n$ ");
    await type("\u0004");
    await until("exit\r\n");
    expect(await ended()).toMatchObject({ status: { kind: "exited", code: 0 } });
  });

  it("ends the running pipeline on Ctrl-C and goes on", async () => {
    const { until, type, ended } = await openShell();
    await until("$ ");
    await type("sh -c 'echo up; sleep 100' | cat; echo after\n");
    await until("\nup\r\n");
    await type("\u0003");
    await until("$ ");
    await type("echo status $?\n");
    expect(await until("$ ")).toContain("status 130\r\n");
    await type("exit 3\n");
    expect(await ended()).toMatchObject({ status: { kind: "exited", code: 3 } });
  });

  it("drops a line that is being typed on Ctrl-C", async () => {
    const { until, type, ended } = await openShell();
    await until("$ ");
    await type("echo nev");
    await type("\u0003");
    await until("$ ");
    await type("echo ok\n");
    expect(await until("$ ")).toBe("echo ok\r\nok\r\n$ ");
    await type("exit\n");
    await ended();
  });

  it("gives up reading on Ctrl-C", async () => {
    const { until, type, ended } = await openShell();
    await until("$ ");
    await type("read -p 'one: ' x; echo not reached\n");
    await until("\none: ");
    await type("\u0003");
    await until("$ ");
    await type("echo status $?\n");
    expect(await until("$ ")).toBe("echo status $?\r\nstatus 130\r\n$ ");
    await type("trap 'echo trapped' INT; read -p 'two: ' x; echo [$x]\n");
    await until("\ntwo: ");
    await type("\u0003");
    await until("trapped\r\n");
    await type("line\n");
    expect(await until("$ ")).toBe("line\r\n[line]\r\n$ ");
    await type("exit\n");
    await ended();
  });

  it("stops a job on Ctrl-Z and continues it with fg", async () => {
    const { until, type, ended } = await openShell();
    await until("$ ");
    await type("sh -c 'echo up; sleep 0.3'\n");
    await until("\nup\r\n");
    await type("\u001a");
    expect(await until("$ ")).toContain(
      "[1]+  Stopped                 sh -c 'echo up; sleep 0.3'\r\n",
    );
    await type("jobs\n");
    expect(await until("$ ")).toContain(
      "[1]+  Stopped                 sh -c 'echo up; sleep 0.3'\r\n",
    );
    await type("fg\n");
    expect(await until("$ ")).toBe("fg\r\nsh -c 'echo up; sleep 0.3'\r\n$ ");
    await type("exit\n");
    await ended();
  });

  it("tells of background jobs", async () => {
    const { until, type, ended } = await openShell();
    await until("$ ");
    await type("sleep 0.01 &\n");
    expect(await until("$ ")).toMatch(/\[1\] \d+\r\n\$ $/);
    await type("wait; :\n");
    await until("$ ");
    await type("exit\n");
    expect(await ended()).toMatchObject({ status: { kind: "exited" } });
  });
});
