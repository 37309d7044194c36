import { describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

const prepare =
  "cd /tmp; mkdir d; seq 3000 > d/seq; ln -s seq d/link; tar cf a.tar d; gzip -k a.tar; bzip2 -k a.tar; xz -k a.tar; zstd -q a.tar; zip -qr a.zip d; diff -u /dev/null d/seq > a.diff";

/** Each reads what may be damaged and writes below a directory of its own. */
const readers: readonly (readonly [string, string])[] = [
  ["a.tar", "tar xf bad -C o"],
  ["a.tar.gz", "gzip -dc < bad; tar xzf bad -C o"],
  ["a.tar.bz2", "bzip2 -dc < bad; tar xjf bad -C o"],
  ["a.tar.xz", "xz -dc < bad; tar xJf bad -C o"],
  ["a.tar.zst", "zstd -dc < bad"],
  ["a.zip", "unzip -o bad -d o; unzip -v bad; zip -q bad d/seq"],
  ["a.diff", "patch -d o -p0 -f -i ../bad"],
];

function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state >> 8;
  };
}

describe("programs for archives", () => {
  it.each(readers)(
    "end with a status for damaged %s",
    async (file, command) => {
      const machine = await boot();
      await machine.sh(prepare, { limitMs: 20_000 });
      const { output: whole } = await machine.runBytes(["bash", "-c", `cat /tmp/${file}`]);
      const random = makeRandom(file.length * 7919);
      for (let round = 0; round < 12; round++) {
        const damaged = whole.slice(0, round % 4 === 3 ? random() % whole.length : whole.length);
        for (let count = 1 + (random() % 4); count > 0; count--)
          damaged[random() % damaged.length] = random() & 255;
        const { result } = await machine.runBytes(
          ["bash", "-c", `cd /tmp; rm -rf o; mkdir o; cat > bad; ${command}`],
          { stdin: damaged, limitMs: 20_000 },
        );
        expect(result.status).not.toBe(137);
        expect(result.stderr).not.toContain("internal error");
      }
      expect(machine.logged).toEqual([]);
    },
    60_000,
  );

  it("unpack what grows without end in constant memory", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "head -c 64M /dev/zero | gzip -1 | gzip -dc | wc -c; head -c 4M /dev/zero | bzip2 -1 | bzip2 -dc | wc -c; head -c 16M /dev/zero | zstd -q | zstd -dq | wc -c",
      { limitMs: 30_000 },
    );
    expect(result).toEqual({ stdout: "67108864\n4194304\n16777216\n", stderr: "", status: 0 });
  }, 40_000);

  it("stop at the VM's limit of file bytes when a bomb is extracted", async () => {
    const machine = await boot({ limits: { maxFilesystemBytes: 8 * 1024 * 1024 } });
    const result = await machine.sh(
      "cd /tmp; head -c 32M /dev/zero | gzip > bomb.gz; gzip -d bomb.gz; echo $?; ls",
    );
    expect(result).toEqual({
      stdout: "1\nbomb.gz\n",
      stderr:
        "gzip: bomb.gz: No space left on device (limit maxFilesystemBytes is 8388608; raise limits.maxFilesystemBytes of the VM)\n",
      status: 0,
    });
  });

  it("write nothing through a link that an archive brings", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "cd /tmp; mkdir out; ln -s /tmp/out l; tar cf a.tar l; rm l; mkdir l; echo evil > l/x; tar rf a.tar l/x; mkdir o; tar xf a.tar -C o; echo $?; ls out; readlink o/l; ls -F o/l",
    );
    expect(result).toEqual({
      stdout: "2\n/tmp/out\no/l@\n",
      stderr:
        "tar: l/x: Cannot open: Not a directory\ntar: Exiting with failure status due to previous errors\n",
      status: 0,
    });
  });

  it("refuse a member larger than what follows it", async () => {
    const machine = await boot();
    const header = new Uint8Array(1024);
    const put = (text: string, at: number): void => header.set(new TextEncoder().encode(text), at);
    put("big", 0);
    put("0000644\0", 100);
    put("77777777777\0", 124);
    put("00000000000\0", 136);
    put("0", 156);
    put("ustar  \0", 257);
    put("        ", 148);
    const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const { result } = await machine.runBytes(
      ["bash", "-c", "cd /tmp; tar tvf -; tar xf - < /dev/null"],
      { stdin: header },
    );
    expect(result).toEqual({
      stdout: "-rw-r--r-- 0/0      8589934591 1970-01-01 00:00 big\n",
      stderr:
        "tar: Unexpected EOF in archive\ntar: Error is not recoverable: exiting now\ntar: This does not look like a tar archive\ntar: Exiting with failure status due to previous errors\n",
      status: 2,
    });
  });
});
