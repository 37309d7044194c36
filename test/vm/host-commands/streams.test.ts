import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostCommandCall, HostCommandError } from "../../../src/toolkit-cli/index.ts";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { bytesOf, flood, hostCommand, pass } from "../../support/host-commands.ts";

let vms: Vms;
let vm: Vm;
let last: HostCommandCall | undefined;
let asked = 0;
let failure: unknown;

const commands = [
  pass,
  flood,
  hostCommand("look", async (call) => {
    last = call;
    return 0;
  }),
  hostCommand("both", async ({ writeOut, writeError }) => {
    for (const word of ["one", "two", "three"]) {
      await writeOut(bytesOf(`${word}\n`));
      await writeError(bytesOf(`${word}!\n`));
    }
    return 3;
  }),
  hostCommand("first", async ({ stdin, writeOut }) => {
    for await (const bytes of stdin) {
      asked += 1;
      await writeOut(bytes.subarray(0, 5));
      return 0;
    }
    return 1;
  }),
  hostCommand("careless", async ({ writeOut }) => {
    // oxlint-disable-next-line typescript/no-floating-promises -- what a careless author does
    for (let i = 0; i < 1000; i++) writeOut(bytesOf(`${i}\n`));
    return 0;
  }),
  hostCommand("stubborn", async ({ writeOut }) => {
    try {
      for (;;) await writeOut(new Uint8Array(65_536));
    } catch (error) {
      failure = error;
      return 9;
    }
  }),
  hostCommand("drain-then-flood", async ({ stdin, writeOut }) => {
    for await (const bytes of stdin) expect(bytes).toBeDefined();
    for (;;) await writeOut(new Uint8Array(65_536));
  }),
  hostCommand("reads-badly", async ({ stdin }) => {
    for await (const bytes of stdin) expect(bytes).toBeDefined();
    return 0;
  }),
  hostCommand("wrong", async ({ argv }) => {
    if (argv[1] === "status") return 300;
    if (argv[1] === "signal") return { signal: "SIGNOTHING" };
    if (argv[1] === "own") throw new HostCommandError(42, "not today");
    throw new Error("it broke");
  }),
];

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  vm = await vms.create({ name: "streams", commands });
});

afterAll(async () => {
  await vms.close();
});

describe("a host command", () => {
  it("learns that its reader has left also when its input has ended before", async () => {
    const { stdout } = await vm.exec("drain-then-flood | head -c 3 | wc -c; echo ${PIPESTATUS[0]}");
    expect(stdout).toBe("3\n141\n");
  });

  it("is a program of /usr/local/bin that the host runs", async () => {
    const { stdout, exitCode } = await vm.exec(
      "type look; cd /tmp; A='x y' B=$'\\xff\\n' look 1 '' $'\\xfe é' && /usr/local/bin/look; ./../usr/local/bin/look 2",
    );
    expect([stdout, exitCode]).toEqual(["look is /usr/local/bin/look\n", 0]);
    expect(last?.argv).toEqual(["./../usr/local/bin/look", "2"]);
    await vm.exec("cd /tmp; A='x y' B=$'\\xff\\n' look 1 '' $'\\xfe é'");
    expect(last).toMatchObject({ vm: "streams", cwd: "/tmp", terminal: undefined });
    expect(last?.argv).toEqual(["look", "1", "", "\udcfe é"]);
    expect([last?.env.get("A"), last?.env.get("B")]).toEqual(["x y", "\udcff\n"]);
    expect(last?.pid).toBeGreaterThan(1);
  });

  it("gets arguments and variables that are longer than one message", async () => {
    await vm.exec('export BIG=$(head -c 500000 /dev/zero | tr "\\0" v); look $(seq 90000)');
    expect(last?.argv).toHaveLength(90_001);
    expect([last?.argv.at(-1), last?.env.get("BIG")?.length]).toEqual(["90000", 500_000]);
  });

  it("stands anywhere in a pipeline", async () => {
    const { stdout } = await vm.exec("echo hi | pass | tr a-z A-Z | pass; echo ${PIPESTATUS[@]}");
    expect(stdout).toBe("HI\n0 0 0 0\n");
    const files = await vm.exec("seq 100000 > /tmp/n; pass < /tmp/n | cmp - /tmp/n && echo same");
    expect(files.stdout).toBe("same\n");
    const { stdout: size } = await vm.exec("head -c 30000000 /dev/zero | pass | wc -c");
    expect(size).toBe("30000000\n");
  });

  it("writes both streams in order, and answers its status", async () => {
    const { stdout, stderr, exitCode } = await vm.exec("both");
    expect([stdout, stderr, exitCode]).toEqual(["one\ntwo\nthree\n", "one!\ntwo!\nthree!\n", 3]);
    const { stdout: mixed } = await vm.exec("both 2>&1");
    expect(mixed).toBe("one\none!\ntwo\ntwo!\nthree\nthree!\n");
    const numbers = (await vm.exec("careless")).stdout;
    expect(numbers).toBe(Array.from({ length: 1000 }, (_, i) => `${i}\n`).join(""));
  });

  it("reads nothing that nobody asks for", async () => {
    const { stdout } = await vm.exec("(echo a; echo b) | (look; cat)");
    expect(stdout).toBe("a\nb\n");
    const once = await vm.exec("yes 12345 | first; echo ${PIPESTATUS[@]}");
    expect([once.stdout, asked]).toEqual(["12345141 0\n", 1]);
    expect((await vm.exec("first < /dev/null; echo $?")).stdout).toBe("1\n");
  });

  it("dies of SIGPIPE when its reader has left, unless it minds", async () => {
    const { stdout } = await vm.exec("flood | head -n 1; echo ${PIPESTATUS[@]}");
    expect(stdout).toBe("y\n141 0\n");
    const minds = await vm.exec("stubborn | true; echo ${PIPESTATUS[@]}");
    expect([minds.stdout, failure]).toMatchObject(["9 0\n", { errno: "EPIPE" }]);
    const muted = await vm.exec("trap '' PIPE; flood | true; echo ${PIPESTATUS[@]}");
    expect([muted.stdout, muted.stderr]).toEqual(["1 0\n", "flood: write error: Broken pipe\n"]);
  });

  it("tells of output that cannot be written", async () => {
    const full = await vm.exec("echo x | pass > /dev/full");
    expect([full.stderr, full.exitCode]).toEqual([
      "pass: write error: No space left on device\n",
      1,
    ]);
    const minds = await vm.exec("stubborn > /dev/full");
    expect([minds.exitCode, failure]).toMatchObject([9, { errno: "ENOSPC" }]);
    const closed = await vm.exec("stubborn >&-");
    expect([closed.exitCode, failure]).toMatchObject([9, { errno: "EBADF" }]);
  });

  it("tells of input that cannot be read", async () => {
    const directory = await vm.exec("reads-badly < /tmp");
    expect([directory.stderr, directory.exitCode]).toEqual(["reads-badly: Is a directory\n", 1]);
    const closed = await vm.exec("reads-badly <&-");
    expect([closed.stderr, closed.exitCode]).toEqual(["reads-badly: Bad file descriptor\n", 1]);
  });

  it("fails with what it throws", async () => {
    const broken = await vm.exec("wrong");
    expect([broken.stdout, broken.stderr, broken.exitCode]).toEqual(["", "wrong: it broke\n", 1]);
    const own = await vm.exec("/usr/local/bin/wrong own");
    expect([own.stderr, own.exitCode]).toEqual(["wrong: not today\n", 42]);
    const status = await vm.exec("wrong status");
    expect([status.stderr, status.exitCode]).toEqual([
      "wrong: its exit status is 300, not 0 to 255\n",
      1,
    ]);
    const signal = await vm.exec("wrong signal");
    expect([signal.stderr, signal.exitCode]).toEqual([
      'wrong: there is no signal "SIGNOTHING"\n',
      1,
    ]);
  });

  it("says that its directory is gone", async () => {
    const { stdout, stderr, exitCode } = await vm.exec(
      "mkdir /tmp/gone; cd /tmp/gone; rmdir /tmp/gone; pass",
    );
    expect([stdout, stderr, exitCode]).toEqual([
      "",
      "pass: the current directory: No such file or directory\n",
      126,
    ]);
  });
});

describe("a file that says it is a host command", () => {
  it("is the one whose name it holds, if the VM has it", async () => {
    const { stdout, stderr, exitCode } = await vm.exec(
      "cp /usr/local/bin/pass /tmp/p; echo yes | /tmp/p; printf '\\x7fHOSTCOMMAND other\\n' > /tmp/o; chmod +x /tmp/o; /tmp/o",
    );
    expect([stdout, stderr, exitCode]).toEqual([
      "yes\n",
      "o: the host has no such command for this VM\n",
      127,
    ]);
  });

  it("is asked of the policy by that name", async () => {
    const rules = [{ mode: "deny", patterns: ["/usr/local/bin/pass"] }] as const;
    const permissions = { childProcess: { default: "allow", rules } } as const;
    const other = await vms.create({ commands, permissions });
    const { stdout, exitCode } = await other.exec(
      "cp /usr/local/bin/pass /tmp/p; echo no | /tmp/p; echo no | pass",
    );
    expect([stdout, exitCode]).toEqual(["", 126]);
    await other.destroy();
  });

  it("is unknown to a VM that got none", async () => {
    const other = await vms.create();
    const { exitCode } = await other.exec("pass");
    expect(exitCode).toBe(127);
    await other.destroy();
  });
});
