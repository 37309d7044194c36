import { describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

/** Lines in no order, with repetitions, fields, cases and numbers; several runs of the least buffer. */
const INPUT = makeInput(60_000);
/** The least buffer that sort takes. */
const SMALL = "-S 1b";

function makeInput(count: number): string {
  let seed = 7;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const words = ["apple", "Apple", "pear-1.10", "pear-1.9", "fig", "FIG", "1K", "2M", "Jan", "feb"];
  let text = "";
  for (let line = 0; line < count; line += 1)
    text += `${next(50_000) - 25_000} ${words[next(words.length)]}${next(100)} ${next(9)}\n`;
  return text;
}

describe("sort of more than its buffer holds", () => {
  it.each([
    "",
    "-r",
    "-n",
    "-nr -k3,3 -k1,1",
    "-u",
    "-u -k2,2",
    "-s -k2,2",
    "-f -k2",
    "-V -k2",
    "-d -k2,2",
    "-R",
    "-h -k2",
    "-z",
    "-m",
  ])("puts out what it would with a buffer that holds all: sort %s", async (options) => {
    const machine = await boot({ limits: { maxFilesystemBytes: 1 << 30 } });
    await machine.vm.files.write("/tmp/input", INPUT);
    const change = { "-m": "sort", "-z": "tr '\\n' '\\0'" }[options] ?? "cat";
    const script = `${change} < /tmp/input > /tmp/i2; mv /tmp/i2 /tmp/input; sort ${options} /tmp/input | md5sum; sort ${options} ${SMALL} /tmp/input | md5sum`;
    const { stdout, stderr, status } = await machine.sh(script, { limitMs: 60_000 });
    expect([stderr, status]).toEqual(["", 0]);
    const [whole, spilled] = stdout.trim().split("\n");
    expect(spilled).toBe(whole);
  });

  it("takes lines that are longer than the buffer, and one without an end", async () => {
    const machine = await boot();
    const long = `${"b".repeat(700_000)}\n${"a".repeat(900_000)}\nc`;
    const { stdout } = await machine.sh(`sort ${SMALL} | cut -c 1 `, {
      stdin: `${long}\n`.repeat(3),
    });
    expect(stdout).toBe("a\na\na\nb\nb\nb\nc\nc\nc\n");
  });

  it("checks the order of more than its buffer holds", async () => {
    const machine = await boot();
    const script = [
      `seq 100000 | sort -n ${SMALL} -c; echo $?`,
      `(seq 100000; echo 7; seq 100000) | sort -n ${SMALL} -c; echo $?`,
      `(seq 100000; echo 100000; seq 9) | sort -n -u ${SMALL} -c; echo $?`,
      `(seq 100000; echo 7) | sort -n ${SMALL} -C; echo $?`,
    ].join("\n");
    expect(await machine.sh(script, { limitMs: 60_000 })).toEqual({
      stdout: "0\n1\n1\n1\n",
      stderr: "sort: -:100001: disorder: 7\nsort: -:100001: disorder: 100000\n",
      status: 0,
    });
  });
});

describe("the temporary files of sort", () => {
  it("lie in the directories of -T, else of TMPDIR, and have no name", async () => {
    const machine = await boot();
    await machine.vm.files.write("/tmp/input", INPUT);
    const script = [
      "mkdir one two three",
      `sort ${SMALL} -T one -T two /tmp/input | { head -c 1 > /dev/null; ls -A one two three /tmp; readlink /proc/*/fd/* | grep -o '/one/sort\\|/two/sort' | sort | uniq -c; cat > /dev/null; }`,
      `TMPDIR=three sort ${SMALL} /tmp/input | { readlink /proc/*/fd/* | grep -c three/sort; cat > /dev/null; }`,
      `sort ${SMALL} -T nowhere /tmp/input; echo $?`,
    ].join("\n");
    const { stdout, stderr } = await machine.sh(script, { limitMs: 60_000 });
    expect(stdout).toBe(
      [
        ...["/tmp:", "input", "", "one:", "", "three:", "", "two:"],
        ...["      1 /one/sort", "      1 /two/sort", "1", "2", ""],
      ].join("\n"),
    );
    expect(stderr).toBe(
      "sort: cannot create temporary file in 'nowhere': No such file or directory\n",
    );
  });

  it("end sort where they do not fit on the disk, and say so", async () => {
    const machine = await boot({ limits: { maxFilesystemBytes: 2 << 20 } });
    const script = `seq 500000 | sort ${SMALL}; echo $?; df /tmp | awk 'END { print $3 }'`;
    const { stdout, stderr } = await machine.sh(script, { limitMs: 60_000 });
    expect(stdout).toMatch(/^2\n\d{1,2}\n$/);
    expect(stderr).toMatch(
      /^sort: write failed: \/tmp\/sort\w{6}: No space left on device \(.*maxFilesystemBytes.*\)\n$/,
    );
  });

  it("are gone when sort is killed", async () => {
    const machine = await boot();
    const used = (): number => machine.kernel.limits.used("maxFilesystemBytes");
    const before = used();
    const running = machine.sh(`(seq 200000; sleep 1000) | sort ${SMALL}`, { limitMs: 60_000 });
    await expect.poll(used, { timeout: 20_000 }).toBeGreaterThan(before + 500_000);
    const killed = await machine.sh("pkill -KILL sort; pkill sleep; ls -A /tmp");
    expect(killed).toEqual({ stdout: "", stderr: "", status: 0 });
    expect((await running).status).toBe(137);
    expect(used()).toBe(before);
  });
});
