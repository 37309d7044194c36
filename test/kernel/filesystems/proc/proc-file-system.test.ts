import { describe, expect, it } from "vitest";
import { O_DIRECTORY, O_RDONLY, O_RDWR, O_WRONLY } from "../../../../src/kernel/abi/open-flags.ts";
import { signals } from "../../../../src/kernel/abi/signals.ts";
import { decodeText, encodeText } from "../../../../src/kernel/abi/text.ts";
import type { Sys } from "../../../../src/kernel/syscalls/sys.ts";
import {
  OTHER,
  readAll,
  readText,
  sleeper,
  TestKernel,
  USER,
  writeText,
} from "../../../support/test-kernel.ts";
import { settle } from "../../../support/waiter.ts";

async function list(sys: Sys, path: string): Promise<string[]> {
  const fd = await sys.open(path, O_RDONLY | O_DIRECTORY);
  const names: string[] = [];
  for (;;) {
    const page = await sys.readdir(fd, 3);
    if (page.length === 0) break;
    names.push(...page.map(({ name }) => name));
  }
  await sys.close(fd);
  return names;
}

describe("/proc", () => {
  it("lists the machine's files and every process", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      expect(await list(sys, "/proc")).toEqual([
        "self",
        "mounts",
        "net",
        "cpuinfo",
        "filesystems",
        "loadavg",
        "meminfo",
        "stat",
        "uptime",
        "version",
        "sys",
        "1",
        "2",
      ]);
      expect(await list(sys, "/proc/self")).toEqual([
        "cmdline",
        "comm",
        "environ",
        "stat",
        "status",
        "limits",
        "mounts",
        "net",
        "cwd",
        "root",
        "exe",
        "fd",
      ]);
    });
  });

  it("lists a process that stays exactly once while others come and go", async () => {
    const test = await TestKernel.boot();
    await test.asRoot(async (sys) => {
      const pids: number[] = [];
      for (let i = 0; i < 6; i++) pids.push(await sys.clone(sleeper));
      const fd = await sys.open("/proc", O_RDONLY);
      const seen: string[] = [];
      for (;;) {
        const page = await sys.readdir(fd, 2);
        if (page.length === 0) break;
        seen.push(...page.map(({ name }) => name));
        const gone = pids.shift();
        if (gone === undefined) continue;
        if (pids.length < 3) continue;
        await sys.kill(gone, signals.SIGKILL);
        await sys.wait({ pid: gone });
      }
      for (const pid of [1, await sys.getpid(), ...pids]) {
        expect(seen.filter((name) => name === String(pid))).toEqual([String(pid)]);
      }
      await sys.kill(-1, signals.SIGKILL);
    });
  });

  it("tells of the machine", async () => {
    const test = await TestKernel.boot({ limits: { maxFilesystemBytes: 1 << 20 } });
    await test.host.advance(12_340);
    await test.asUser(async (sys) => {
      const texts: Record<string, string> = {};
      for (const name of [
        "version",
        "uptime",
        "loadavg",
        "meminfo",
        "stat",
        "filesystems",
        "sys/kernel/hostname",
      ]) {
        texts[name] = await readText(sys, `/proc/${name}`);
      }
      expect(texts).toEqual({
        version: "Linux version 6.12.0-agentos #1 agentOS MCP\n",
        uptime: "12.34 24.68\n",
        loadavg: "0.00 0.00 0.00 2/2 2\n",
        meminfo:
          "MemTotal:        1048576 kB\nMemFree:         1048576 kB\nMemAvailable:    1048576 kB\nShmem:                 0 kB\nSwapTotal:             0 kB\nSwapFree:              0 kB\n",
        stat: "cpu  0 0 0 2468 0 0 0 0 0 0\nbtime 1767323045\nprocesses 2\n",
        filesystems: "nodev\tmemory\nnodev\toverlay\nnodev\tdevtmpfs\nnodev\tproc\n",
        "sys/kernel/hostname": "agentos\n",
      });
    });
  });

  it("escapes blanks in the names of mounts", async () => {
    const test = await TestKernel.boot();
    await test.asRoot(async (sys) => {
      await sys.mkdir("/tmp/a b\\c");
      await sys.mount({ type: "memory", target: "/tmp/a b\\c", isReadOnly: true });
      expect((await readText(sys, "/proc/mounts")).split("\n").at(-2)).toBe(
        "memory /tmp/a\\040b\\134c memory ro 0 0",
      );
    });
  });

  it("cannot be changed", async () => {
    const test = await TestKernel.boot();
    await test.asRoot(async (sys) => {
      const changes: Promise<unknown>[] = [
        sys.open("/proc/version", O_WRONLY),
        sys.mkdir("/proc/new"),
        sys.unlink("/proc/version"),
        sys.rmdir("/proc/sys"),
        sys.rename("/proc/version", "/proc/other"),
        sys.symlink("x", "/proc/new"),
        sys.link("/proc/version", "/proc/other"),
        sys.chmod("/proc/version", 0o777),
        sys.truncate("/proc/version", 0),
        sys.mknod("/proc/fifo", "fifo"),
      ];
      for (const change of changes) await expect(change).rejects.toMatchObject({ errno: "EROFS" });
      await expect(sys.stat("/proc/99")).rejects.toMatchObject({ errno: "ENOENT" });
      await expect(sys.stat("/proc/02")).rejects.toMatchObject({ errno: "ENOENT" });
      await expect(sys.stat("/proc/self/fd/00")).rejects.toMatchObject({ errno: "ENOENT" });
    });
  });
});

describe("/proc/PID", () => {
  it("tells arguments, environment, ids, signals and limits", async () => {
    const test = await TestKernel.boot({
      env: new Map([
        ["A", "1"],
        ["B", ""],
      ]),
    });
    await test.host.advance(2000);
    await test.as(
      USER,
      async (sys) => {
        await sys.sigaction(signals.SIGHUP, "ignore");
        await sys.sigaction(signals.SIGUSR1, "catch");
        await sys.sigprocmask("block", [signals.SIGUSR2]);
        await sys.kill(await sys.getpid(), signals.SIGUSR2);
        expect(await readText(sys, "/proc/self/cmdline")).toBe("/bin/prog\0é\0\0");
        expect(await readText(sys, "/proc/self/comm")).toBe("prog\n");
        expect(await readText(sys, "/proc/self/environ")).toBe("A=1\0B=\0");
        expect((await readText(sys, "/proc/self/stat")).split(" ")).toEqual([
          "2",
          "(prog)",
          "S",
          "1",
          "2",
          "2",
          "0",
          "-1",
          ...Array<string>(13).fill("0"),
          "200",
          ...Array<string>(29).fill("0"),
          "0\n",
        ]);
        expect((await readText(sys, "/proc/self/status")).split("\n")).toEqual([
          "Name:\tprog",
          "Umask:\t0022",
          "State:\tS (sleeping)",
          "Tgid:\t2",
          "Pid:\t2",
          "PPid:\t1",
          "Uid:\t1000\t1000\t1000\t1000",
          "Gid:\t1000\t1000\t1000\t1000",
          "FDSize:\t1",
          "Groups:\t1000",
          "VmRSS:\t       0 kB",
          "Threads:\t1",
          "SigPnd:\t0000000000000800",
          "SigBlk:\t0000000000000800",
          "SigIgn:\t0000000000000001",
          "SigCgt:\t0000000000000200",
          "",
        ]);
        expect(await readText(sys, "/proc/self/limits")).toContain(
          "maxProcesses              256                  256                  count\n",
        );
      },
      { argv: ["/bin/prog", "é", ""], isSessionLeader: true },
    );
  });

  it("leads to its directory and its program", async () => {
    const test = await TestKernel.boot({
      programs: {
        where: async (sys) => {
          const told = [await sys.readlink("/proc/self/exe"), await sys.readlink("/proc/self/cwd")];
          await writeText(sys, "/tmp/told", told.join(" "));
          return 0;
        },
      },
    });
    await test.asUser(async (sys) => {
      await sys.chdir("/home/user");
      await writeText(sys, "f", "here");
      expect(await readText(sys, "/proc/self/cwd/f")).toBe("here");
      expect(await readText(sys, "/proc/self/cwd/../user/f")).toBe("here");
      await sys.chdir("/proc/self/cwd");
      expect(await sys.getcwd()).toBe("/home/user");
      await sys.wait({ pid: await sys.spawn({ path: "/bin/where", argv: ["where"] }) });
      expect(await readText(sys, "/tmp/told")).toBe("/bin/where /home/user");
      expect((await sys.lstat("/proc/self")).kind).toBe("symlink");
      expect(await sys.readlink("/proc/self")).toBe(String(await sys.getpid()));
    });
  });

  it("shows others neither environment nor descriptors nor where it is", async () => {
    const test = await TestKernel.boot();
    await test.sys.mkdir("/root/open", 0o777);
    await writeText(test.sys, "/root/open/f", "inside", 0o666);
    const pid = await test.start(
      async (sys) => {
        await sys.open("/root/open/f", O_RDONLY);
        return sleeper(sys);
      },
      { cwd: "/root/open" },
    );
    await settle();
    const ways = ["environ", "fd/0", "cwd", "cwd/f", "root/tmp"];
    await test.as(OTHER, async (sys) => {
      expect(await readText(sys, `/proc/${pid}/cmdline`)).toBe("test\0");
      for (const way of ways) {
        await expect(sys.open(`/proc/${pid}/${way}`, O_RDONLY)).rejects.toMatchObject({
          errno: "EACCES",
        });
      }
      await expect(sys.readlink(`/proc/${pid}/cwd`)).rejects.toMatchObject({ errno: "EACCES" });
      await expect(list(sys, `/proc/${pid}/fd`)).rejects.toMatchObject({ errno: "EACCES" });
    });
    await test.asRoot(async (sys) =>
      expect(await readText(sys, `/proc/${pid}/cwd/f`)).toBe("inside"),
    );
    await test.sys.kill(pid, signals.SIGKILL);
    await test.sys.wait({ pid });
  });

  it("is gone with the process, and another's when the pid is used again", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const pid = await sys.clone(sleeper);
      const { ino } = await sys.stat(`/proc/${pid}`);
      expect((await sys.stat(`/proc/${pid}`)).ino).toBe(ino);
      await sys.kill(pid, signals.SIGKILL);
      await sys.wait({ pid });
      await expect(sys.stat(`/proc/${pid}`)).rejects.toMatchObject({ errno: "ENOENT" });
    });
  });
});

describe("/proc/self/fd", () => {
  it("names what is open and opens files anew", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "text");
      const fd = await sys.open("f", O_RDONLY);
      const [readFd, writeFd] = await sys.pipe();
      await sys.read(fd, new Uint8Array(2));
      expect(await sys.readlink(`/proc/self/fd/${fd}`)).toBe("/tmp/f");
      expect(await sys.readlink(`/proc/self/fd/${readFd}`)).toMatch(/^pipe:\[\d+\]$/);
      expect(await readText(sys, `/dev/fd/${fd}`)).toBe("text");
      await sys.unlink("f");
      expect(await readText(sys, `/proc/self/fd/${fd}`)).toBe("text");
      expect((await sys.stat(`/dev/fd/${writeFd}`)).kind).toBe("fifo");
      await expect(sys.stat("/proc/self/fd/99")).rejects.toMatchObject({ errno: "ENOENT" });
      await expect(sys.stat(`/proc/self/fd/${readFd}/x`)).rejects.toMatchObject({
        errno: "ENOTDIR",
      });
      await expect(sys.stat(`/proc/self/fd/${readFd}/`)).rejects.toMatchObject({
        errno: "ENOTDIR",
      });
    });
  });

  it("gives a pipe's end again for what that end is open for", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const [readFd, writeFd] = await sys.pipe();
      const again = await sys.open(`/dev/fd/${writeFd}`, O_WRONLY);
      await sys.close(writeFd);
      await sys.write(again, encodeText("through"));
      await sys.close(again);
      expect(await readAll(sys, readFd)).toBe("through");
      for (const flags of [O_WRONLY, O_RDWR]) {
        await expect(sys.open(`/dev/fd/${readFd}`, flags)).rejects.toMatchObject({
          errno: "EACCES",
        });
      }
    });
  });

  it("is the way to /dev/stdin and its kin", async () => {
    const test = await TestKernel.boot();
    const [readFd, writeFd] = await test.sys.pipe();
    await test.run(
      async (sys) => {
        const fd = await sys.open("/dev/stdout", O_WRONLY);
        await sys.write(fd, encodeText("said"));
        return 0;
      },
      {
        fds: [
          { fd: 1, from: writeFd },
          { fd: writeFd === 1 ? 9 : writeFd, close: true },
        ],
      },
    );
    await test.sys.close(writeFd);
    const into = new Uint8Array(10);
    expect(decodeText(into.subarray(0, await test.sys.read(readFd, into)))).toBe("said");
  });
});
