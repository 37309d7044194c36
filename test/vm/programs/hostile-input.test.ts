import { describe, expect, it } from "vitest";
import { boot, type RunResult } from "../../support/boot.ts";

/** Runs a script in a VM of its own that must not find a bug. */
async function attack(script: string): Promise<RunResult> {
  const machine = await boot();
  const result = await machine.sh(script, { limitMs: 30_000 });
  expect(machine.logged).toEqual([]);
  return result;
}

const repeat = (text: string, count = 50_000): string =>
  `"$(printf '%${count}s' | sed 's/ /${text.replaceAll("/", "\\/").replaceAll("&", "\\&")}/g')"`;

describe("nesting deeper than a stack", () => {
  const attacks: Record<string, readonly [script: string, stderr: string, status: number]> = {
    "bc's parentheses": [`bc <<< ${repeat("(")}`, "bc: nested too deeply\n", 1],
    "jq's comparison of arrays": [
      "jq -n 'reduce range(100000) as $i (1; [.]) | . == .'",
      "jq: nested too deeply\n",
      1,
    ],
    "find's parentheses": [
      `find . $(echo ${repeat("( ", 10_000)})`,
      "find: nested too deeply\n",
      1,
    ],
    "a shell's function": [
      "f() { f; }; f",
      expect.stringContaining("maximum function nesting level exceeded") as unknown as string,
      1,
    ],
    "a shell's braces": [
      `eval "echo "${repeat("{a,")}`,
      "bash: line 1: eval: Cannot allocate memory (too many braces)\n",
      1,
    ],
  };
  for (const [name, [script, stderr, status]] of Object.entries(attacks)) {
    it(`is an error: ${name}`, async () => {
      const result = await attack(script);
      expect({ ...result, stdout: "" }).toEqual({ stdout: "", stderr, status });
    });
  }
});

describe("sizes no program can hold", () => {
  const attacks: Record<string, readonly [script: string, stderr: string]> = {
    "a number of bc that squares itself": [
      "bc <<< 'a = 9; while (1) a = a * a'",
      "Runtime error (func=(main), adr=14): Out of memory\n",
    ],
    "a record of dd": ["dd conv=block cbs=99999999999 status=none <<< a", "dd: memory exhausted\n"],
    "values that jq slurps": [`yes '{"a":[1]}' | jq -s length`, "jq: error: memory exhausted\n"],
    "words of a brace": [
      "echo {1..1000000000}",
      "bash: brace expansion: Cannot allocate memory (more than 1000000 words)\n",
    ],
    "a product of braces": [
      `eval "echo "${repeat("{1,2}", 30)}`,
      "bash: line 1: eval: Cannot allocate memory (too many braces)\n",
    ],
  };
  for (const [name, [script, stderr]] of Object.entries(attacks)) {
    it(`are an error: ${name}`, async () => {
      expect((await attack(script)).stderr).toBe(stderr);
    });
  }

  it("are shown as far as there is input: a format of hexdump", async () => {
    expect(await attack(`printf ab | hexdump -e '999999999/1 "%x"' | head -c 4`)).toEqual({
      stdout: "6162",
      stderr: "",
      status: 0,
    });
  });
});

describe("input that never ends", () => {
  it("does not outlast read's time", async () => {
    expect(await attack("yes | (read -r -t 0.2 -d Z x; echo $?)")).toMatchObject({
      stdout: "142\n",
      stderr: "",
    });
  });

  const loops = [
    "while :; do :; done",
    "awk 'BEGIN { while (1); }'",
    "sed ':a;ba' <<< a",
    "jq -n 'def f: f; f'",
    "jq -n 'last(range(1e12))'",
    "bc <<< 'while (1) {}'",
    "yes | sort",
    "yes | jq -R -n 'last(inputs)'",
    "seq 1e15 > /dev/null",
    "find / -exec true ';' > /dev/null 2>&1; while :; do :; done",
  ];
  for (const loop of loops) {
    it(`ends by a signal and lets others run: ${loop}`, async () => {
      const machine = await boot();
      const script = `{ ${loop}; } & victim=$!; echo beside; kill $victim; wait $victim; echo $?`;
      const { stdout } = await machine.sh(script, { limitMs: 30_000 });
      expect(stdout).toBe("beside\n143\n");
      expect(machine.logged).toEqual([]);
    });
  }
});

describe("a damaged zip file", () => {
  it("is refused by zip", async () => {
    const script = [
      "echo text > a; zip -q x.zip a",
      "printf XX | dd of=x.zip conv=notrunc status=none",
      "echo more > b; zip -q x.zip b; echo $?; ls",
    ].join("\n");
    const { stdout, status } = await attack(script);
    expect({ stdout, status }).toEqual({
      stdout: expect.stringMatching(
        /zip error: Zip file structure invalid \(x\.zip\)\n3\na\nb\nx\.zip\n$/,
      ) as unknown,
      status: 0,
    });
  });
});

describe("a tree of 4,096 directories", () => {
  it("is made, and removed again", async () => {
    const machine = await boot();
    const script =
      "cd /tmp; mkdir t; cd t; for ((i=0;i<4096;i++)); do mkdir d; cd d || exit; done; touch f; cd /tmp; rm -r t; echo $?; ls -d t";
    expect(await machine.sh(script, { limitMs: 60_000 })).toEqual({
      stdout: "0\n",
      stderr: "ls: cannot access 't': No such file or directory\n",
      status: 2,
    });
  }, 60_000);
});
