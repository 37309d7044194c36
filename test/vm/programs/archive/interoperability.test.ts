// Archives of ours read by the host's tools, and the other way round. A tool the host lacks is skipped by name.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";
import { unless } from "../../../support/unless.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "interoperability-"));
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** The obstacle, where the host does not have a tool. */
function without(name: string): string | undefined {
  const { error } = spawnSync(name, ["--version"], { stdio: "ignore", timeout: 5000 });
  return error === undefined ? undefined : `needs the host's ${name}`;
}

/** Runs a script under the host's shell; its output as bytes. */
function onHost(script: string, input: Uint8Array = new Uint8Array(0)): Buffer {
  const { stdout, stderr, status } = spawnSync("sh", ["-c", script], {
    cwd: directory,
    input,
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 20_000,
  });
  expect({ stderr: stderr.toString(), status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

/** Runs a script in a VM; its output as bytes. */
async function inVm(script: string, stdin: Uint8Array = new Uint8Array(0)): Promise<Uint8Array> {
  const machine = await boot();
  const { result, output } = await machine.runBytes(["bash", "-c", `cd /tmp && ${script}`], {
    stdin,
    limitMs: 20_000,
  });
  expect({ stderr: result.stderr, status: result.status }).toEqual({ stderr: "", status: 0 });
  return output;
}

/** Text that repeats and bytes that do not. */
function makeData(): Uint8Array {
  const data = new Uint8Array(150_000);
  let state = 12_345;
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    data[at] = at % 20_000 < 10_000 ? 65 + ((at >> 3) % 26) : state >> 16;
  }
  return data;
}

const data = makeData();

describe.each([
  ["gzip", "gzip -c", "gzip -dc"],
  ["gzip", "gzip -1 -c", "gunzip -c"],
  ["bzip2", "bzip2 -c", "bzip2 -dc"],
  ["xz", "xz -c", "xz -dc"],
  ["zstd", "zstd -q -c", "zstd -q -dc"],
])("%s (%s)", (tool, pack, unpack) => {
  it("packs what the host unpacks", unless(without(tool)), async () => {
    const packed = await inVm(pack, data);
    expect(Buffer.compare(onHost(unpack, packed), Buffer.from(data))).toBe(0);
  });

  it("unpacks what the host packs", unless(without(tool)), async () => {
    const packed = onHost(pack, data);
    expect(Buffer.compare(Buffer.from(await inVm(unpack, packed)), Buffer.from(data))).toBe(0);
  });
});

const tree =
  "mkdir -p t/d; seq 5000 > t/d/seq; ln -s d/seq t/link; ln t/d/seq t/hard; : > t/empty; chmod 750 t/d; touch -hd @1000000000 t/d/seq t/link t/empty; touch -d @1000000000 t/d t";

describe("tar", unless(without("tar")), () => {
  it.each(["", "z", "j", "J"])("makes archives (-%s) the host extracts", async (flag) => {
    const archive = await inVm(`${tree}; tar c${flag}f - t`);
    writeFileSync(join(directory, "ours.tar"), archive);
    const listed = onHost(
      `rm -rf o; mkdir o; tar x${flag}f ours.tar --no-same-owner -C o; cd o/t; cat d/seq | cksum; readlink link; stat -c '%h %Y' hard; stat -c %a d; ls`,
    );
    expect(listed.toString()).toBe(
      "1163661111 23893\nd/seq\n2 1000000000\n750\nd\nempty\nhard\nlink\n",
    );
  });

  it.each(["gnu", "ustar", "posix", "v7"])(
    "extracts the host's archives in format %s",
    async (format) => {
      onHost(`rm -rf t; ${tree}; tar cf host.tar --format=${format} --owner=0 --group=0 t`);
      const listed = await inVm(
        "tar xf - && cd t && wc -c < d/seq && readlink link && stat -c '%h %Y' hard && stat -c %a d && ls",
        readFileSync(join(directory, "host.tar")),
      );
      expect(Buffer.from(listed).toString()).toBe(
        "23893\nd/seq\n2 1000000000\n750\nd\nempty\nhard\nlink\n",
      );
    },
  );
});

describe("zip", unless(without("unzip"), without("zip")), () => {
  it("makes files the host tests and extracts", async () => {
    const archive = await inVm(`${tree}; zip -qry a.zip t; cat a.zip`);
    writeFileSync(join(directory, "ours.zip"), archive);
    const listed = onHost(
      "rm -rf o; unzip -tqq ours.zip; unzip -q ours.zip -d o; cd o/t; cksum < d/seq; readlink link; stat -c %a d; ls",
    );
    expect(listed.toString()).toBe("1163661111 23893\nd/seq\n750\nd\nempty\nhard\nlink\n");
  });

  it("extracts what the host makes", async () => {
    const archive = onHost(`rm -rf t h.zip; ${tree}; zip -qry h.zip t; cat h.zip`);
    const listed = await inVm(
      "cat > a.zip && unzip -tqq a.zip && unzip -q a.zip && cd t && wc -c < d/seq && readlink link && stat -c %a d && ls",
      archive,
    );
    expect(Buffer.from(listed).toString()).toBe("23893\nd/seq\n750\nd\nempty\nhard\nlink\n");
  });

  it("extracts what the host makes to a pipe, sizes behind the data", async () => {
    const archive = onHost(`rm -rf t; ${tree}; zip -qr - t/d`);
    const listed = await inVm("cat > a.zip && unzip -q a.zip && wc -c < t/d/seq", archive);
    expect(Buffer.from(listed).toString()).toBe("23893\n");
  });
});
