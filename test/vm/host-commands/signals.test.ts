import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostCommandCall } from "../../../src/toolkit-cli/index.ts";
import type { Vm, VmOptions, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { bytesOf, flood, hostCommand, shownBy, untilGone } from "../../support/host-commands.ts";

let vms: Vms;
const gone: string[] = [];
const calls: HostCommandCall[] = [];

const commands = [
  flood,
  hostCommand("hang", async (call) => {
    calls.push(call);
    gone.push(await untilGone(call));
    return 0;
  }),
  hostCommand("deaf", (call) => {
    calls.push(call);
    return new Promise(() => undefined);
  }),
  hostCommand("minds", async (call) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    call.onSignal((name) => {
      call.writeOut(bytesOf(`${name}\n`)).catch(() => undefined);
      if (name === "SIGTERM") resolve(7);
    });
    await call.writeOut(bytesOf("ready\n"));
    return promise;
  }),
  hostCommand("dies", async ({ argv }) => ({ signal: argv[1] ?? "" })),
  hostCommand("waits-for-input", async (call) => {
    calls.push(call);
    try {
      for await (const bytes of call.stdin) expect(bytes).toBeDefined();
    } catch (error) {
      gone.push(String(error));
    }
    return 0;
  }),
];

beforeAll(() => {
  vms = new built.Vms({ poolSize: 1 });
});

afterAll(async () => {
  await vms.close();
});

async function withVm<T>(use: (vm: Vm) => Promise<T>, options: VmOptions = {}): Promise<T> {
  gone.length = 0;
  calls.length = 0;
  const vm = await vms.create({ commands, ...options });
  try {
    return await use(vm);
  } finally {
    await vm.destroy();
  }
}

describe("signals of a host command", () => {
  it("go to the host when it listens", async () => {
    await withVm(async (vm) => {
      const exec = await vm.spawn(["minds"]);
      const wait = async (text: string): Promise<void> =>
        expect.poll(() => shownBy(exec)).toBe(text);
      await wait("ready\n");
      await exec.signal("SIGINT");
      await wait("ready\nSIGINT\n");
      await exec.signal("SIGUSR1");
      await wait("ready\nSIGINT\nSIGUSR1\n");
      await exec.signal("SIGTERM");
      await exec.wait();
      expect(exec.status()).toMatchObject({ exitCode: 7 });
      expect(await shownBy(exec)).toBe("ready\nSIGINT\nSIGUSR1\nSIGTERM\n");
    });
  });

  it("wait while the process is stopped, and stop it whoever listens", async () => {
    await withVm(async (vm) => {
      const exec = await vm.spawn(["minds"]);
      await expect.poll(() => shownBy(exec)).toBe("ready\n");
      await exec.signal("SIGTSTP");
      await exec.signal("SIGSTOP");
      await exec.signal("SIGTERM");
      const [process] = (await vm.processes()).filter(({ command }) => command === "minds");
      expect(process?.state).toBe("stopped");
      expect(await shownBy(exec)).toBe("ready\n");
      await exec.signal("SIGCONT");
      await exec.wait();
      expect(exec.status()).toMatchObject({ exitCode: 7 });
    });
  });

  it("do what they do by default when nobody listens", async () => {
    await withVm(async (vm) => {
      for (const [name, status] of [
        ["SIGINT", 130],
        ["SIGUSR1", 138],
        ["SIGKILL", 137],
      ] as const) {
        const exec = await vm.spawn(["hang"]);
        await expect.poll(() => calls).toHaveLength(1);
        await exec.signal(name);
        await exec.wait();
        expect(exec.status().exitCode).toBe(status);
        await expect.poll(() => gone).toEqual(["The process is gone."]);
        calls.length = 0;
        gone.length = 0;
      }
      expect((await vm.exec("timeout 0.1 hang; echo $?")).stdout).toBe("124\n");
    });
  });

  it("stay ignored where the process was started so", async () => {
    await withVm(async (vm) => {
      const exec = await vm.spawn("trap '' INT; exec minds");
      await expect.poll(() => shownBy(exec)).toBe("ready\n");
      await exec.signal("SIGINT");
      await exec.signal("SIGTERM");
      await exec.wait();
      expect(await shownBy(exec)).toBe("ready\nSIGTERM\n");
    });
  });

  it("may be what it dies of", async () => {
    await withVm(async (vm) => {
      for (const [name, status] of [
        ["SIGSEGV", 139],
        ["SIGKILL", 137],
        ["TERM", 143],
      ] as const) {
        const exec = await vm.spawn(["dies", name]);
        await exec.wait();
        expect(exec.status().exitCode).toBe(status);
        expect(exec.status()).toMatchObject({ signal: name.replace(/^(SIG)?/, "SIG") });
      }
    });
  });
});

describe("a process that is gone", () => {
  it("ends what the host does for it", async () => {
    await withVm(async (vm) => {
      const execs = [
        await vm.spawn(["hang"]),
        await vm.spawn("yes | waits-for-input & waits-for-input"),
      ];
      await expect.poll(() => calls).toHaveLength(3);
      for (const exec of execs) await exec.stop();
      await vm.exec("pkill -KILL waits");
      await expect.poll(() => gone).toHaveLength(3);
      expect(gone.toSorted()).toEqual([
        "AbortError: The process is gone.",
        "AbortError: The process is gone.",
        "The process is gone.",
      ]);
    });
  });

  it.each(["destroyed", "lost"])("is gone when its VM is %s", async (how) => {
    await withVm(async (vm) => {
      const exec = await vm.spawn("hang & flood | sleep 1000");
      await expect.poll(() => calls).toHaveLength(1);
      if (how === "lost") process.kill(vm.info().cellPid ?? 0, "SIGKILL");
      else await vm.destroy();
      await expect.poll(() => gone).toEqual(["The VM is gone."]);
      await exec.wait().catch(() => undefined);
      await expect(calls[0]?.writeOut(new Uint8Array(1))).rejects.toMatchObject({ errno: "EPIPE" });
    });
  });

  it("leaves room for others, up to maxHostCommands", async () => {
    await withVm(
      async (vm) => {
        const exec = await vm.spawn("hang & hang & hang & wait");
        await expect.poll(() => calls).toHaveLength(3);
        const { stderr, exitCode } = await vm.exec("flood");
        const reason = "limit maxHostCommands is 3; raise limits.maxHostCommands of the VM";
        expect(stderr).toBe(`flood: Resource temporarily unavailable (${reason})\n`);
        expect(exitCode).toBe(126);
        await vm.exec("pkill -KILL -o hang");
        const first = async (): Promise<string> => (await vm.exec("flood | head -n 1")).stdout;
        await expect.poll(() => first()).toBe("y\n");
        for (let i = 0; i < 20; i++) expect(await first()).toBe("y\n");
        await vm.exec("pkill hang");
        await exec.wait();
      },
      { limits: { maxHostCommands: 3 } },
    );
  });

  it("may go at any time", async () => {
    await withVm(async (vm) => {
      await vm.exec(`for i in $(seq 60); do
        case $((i % 3)) in 0) hang & ;; 1) flood > /dev/null & ;; 2) hang < /dev/zero & ;; esac
        sleep 0.00$((i % 8)); kill -9 $!
      done 2> /dev/null; wait`);
      expect((await vm.exec("flood | head -n 1")).stdout).toBe("y\n");
      expect(vm.info().restarts).toBe(0);
      await expect.poll(() => gone).toHaveLength(calls.length);
    });
  });

  it("still counts while the host's function does not end", async () => {
    await withVm(
      async (vm) => {
        const exec = await vm.spawn("deaf & deaf & wait");
        await expect.poll(() => calls).toHaveLength(2);
        await vm.exec("pkill -KILL deaf");
        await exec.wait();
        const { stderr, exitCode } = await vm.exec("flood");
        expect(stderr).toMatch(/^flood: Resource temporarily unavailable/);
        expect(exitCode).toBe(126);
        expect((await vm.exec("echo fine")).stdout).toBe("fine\n");
      },
      { limits: { maxHostCommands: 2 } },
    );
  });
});
