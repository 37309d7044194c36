import { describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

const calls = "open,read,write,pipe,close,dup2,spawn,clone,exec,wait,exit";

/** What a log of `strace -f` says of each process, in the order in which they appear. */
function byProcess(log: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const line of log.split("\n").filter((one) => one !== "")) {
    const [, pid = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    (found[pid] ??= []).push(text.replace(/ +=/, " ="));
  }
  return found;
}

describe("strace", () => {
  it("shows a script's pipeline, redirection and failing command whole", async () => {
    const machine = await boot();
    const script = "cat a | wc -l > out; cat nope";
    const result = await machine.sh(
      `printf 'one\\ntwo\\n' > a; strace -f -o log -e trace=${calls} sh -c '${script}'; echo $?; cat log`,
    );
    const [status = "", ...log] = result.stdout.split("\n");
    expect([status, result.stderr, result.status]).toEqual([
      "1",
      "cat: nope: No such file or directory\n",
      0,
    ]);
    expect(byProcess(log.join("\n"))).toEqual({
      4: [
        "pipe([3, 4], O_CLOEXEC) = 0",
        'spawn("/usr/bin/cat", ["cat", "a"], /* 9 vars */, {fds=[1>&4]}) = 5',
        "close(4) = 0",
        "clone({signals={default=[], ignore=[]}, fds=[0>&3, 3>&-]}) = 6",
        "close(3) = 0",
        "wait(5, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0) = 5",
        "wait(6, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0) = 6",
        'exec("/usr/bin/cat", ["cat", "nope"], /* 9 vars */) = 0',
        'open("nope", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)',
        'write(2, "cat: nope: No such file or direc"..., 37) = 37',
        "+++ exited with 1 +++",
      ],
      5: [
        'open("a", O_RDONLY|O_CLOEXEC) = 3',
        'read(3, "one\\ntwo\\n", 131072) = 8',
        'write(1, "one\\ntwo\\n", 8) = 8',
        'read(3, "", 131072) = 0',
        "close(3) = 0",
        "+++ exited with 0 +++",
      ],
      6: [
        'open("out", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = 3',
        "dup2(3, 1) = 1",
        "close(3) = 0",
        'exec("/usr/bin/wc", ["wc", "-l"], /* 9 vars */) = 0',
        'read(0, "one\\ntwo\\n", 131072) = 8',
        'read(0, "", 131072) = 0',
        "close(0) = 0",
        'write(1, "2\\n", 2) = 2',
        "+++ exited with 0 +++",
      ],
    });
  });

  it("writes to standard error, without -f of the command alone, and leaves as it does", async () => {
    const machine = await boot();
    const pad = (call: string): string => call.padEnd(40);
    expect(await machine.sh("echo a > a; strace -e trace=file cat a; echo $?")).toEqual({
      stdout: "a\n0\n",
      stderr: `${pad('open("a", O_RDONLY|O_CLOEXEC)')}= 3\n+++ exited with 0 +++\n`,
      status: 0,
    });
    expect(await machine.sh("strace -e trace=process sh -c '(exit 3); exit 4'")).toEqual({
      stdout: "",
      stderr: [
        "clone({signals={default=[], ignore=[]}}) = 7",
        "wait(7, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0) = 7",
        "+++ exited with 4 +++",
        "",
      ].join("\n"),
      status: 4,
    });
    const killed = await machine.sh("strace -e kill -s 3 sh -c 'kill -9 $$'; echo $?");
    expect(killed.stdout).toBe("137\n");
    expect(killed.stderr).toMatch(
      /^kill\(\d+, SIGKILL\) +=\s\?\n\+\+\+ killed by SIGKILL \+\+\+\n/,
    );
  });

  it("refuses what it cannot do, and says what can be done", async () => {
    const machine = await boot();
    const hint = "Try 'strace --help' for more information.\n";
    const refusal = async (command: string): Promise<string> => {
      const { stdout, stderr, status } = await machine.sh(command);
      return `${stdout}${stderr}[${status}]`;
    };
    expect(await refusal("strace")).toBe(`strace: must have PROG [ARGS]\n${hint}[1]`);
    expect(await refusal("strace -p 1")).toBe(
      `strace: cannot attach to a process that runs; start the command under strace, or use agentos-mcp trace on the host\n${hint}[1]`,
    );
    expect(await refusal("strace -e trace=opn true")).toBe(
      `strace: invalid system call 'opn'\n${hint}[1]`,
    );
    expect(await refusal("strace -e signal=HUP true")).toBe(
      `strace: invalid -e argument: 'signal=HUP': only trace= is supported\n${hint}[1]`,
    );
    expect(await refusal("strace -s many true")).toBe(
      `strace: invalid -s argument: 'many'\n${hint}[1]`,
    );
    expect(await refusal("strace -o /nope/x true")).toBe(
      "strace: Can't fopen '/nope/x': No such file or directory\n[1]",
    );
    expect(await refusal("strace nope")).toBe("strace: Cannot find executable 'nope'\n[1]");
  });

  it("tells nothing of a command that runs as somebody else", async () => {
    const machine = await boot();
    expect(await machine.sh("strace -f sudo id -u")).toEqual({
      stdout: "0\n",
      stderr: "strace: sudo runs as another user, so it is not traced\n",
      status: 0,
    });
  });
});
