import { describe, expect, it } from "vitest";
import { clean, npmMachine } from "./npm-machine.ts";

const names = [
  "main.js",
  "lib/a.js",
  "lib/secret.js",
  "lib/sub/b.js",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "test/t.js",
  "bin/p.js",
  ".npmrc",
  "lib/.DS_Store",
  "lib/x.orig",
  "package-lock.json",
  "node_modules/x/i.js",
  ".git/config",
  "a.log",
  "keep.log",
];

function project(manifest: object, more: Readonly<Record<string, string>> = {}) {
  const files = Object.fromEntries(names.map((name) => [`/home/user/pk/${name}`, ""]));
  const extra = Object.entries(more).map(([name, text]) => [`/home/user/pk/${name}`, text]);
  const base = { name: "pk", version: "1.0.0", main: "main.js", bin: { p: "bin/p.js" } };
  return {
    ...files,
    ...Object.fromEntries(extra),
    "/home/user/pk/package.json": JSON.stringify({ ...base, ...manifest }),
  };
}

async function packed(
  manifest: object,
  more: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const machine = await npmMachine(project(manifest, more));
  const { stdout } = await machine.sh("cd pk; npm pack -s --dry-run --json");
  const [tarball]: [{ files: { path: string }[] }] = JSON.parse(stdout);
  return tarball.files.map(({ path }) => path);
}

// The lists are npm 11.19.1's; 90 random packages were compared with it by hand.
describe("npm pack", () => {
  it("takes what `files` names, and what is always in", async () => {
    expect(await packed({ files: ["lib", "!lib/secret.js"] })).toEqual([
      "LICENSE",
      "README.md",
      "bin/p.js",
      "lib/a.js",
      "lib/sub/b.js",
      "main.js",
      "package.json",
    ]);
  });

  it("heeds .npmignore, else .gitignore", async () => {
    const rules = "# c\ntest\n*.log\n/lib/sub\n!keep.log\n";
    const expected = [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "bin/p.js",
      "keep.log",
      "lib/a.js",
      "lib/secret.js",
      "main.js",
      "package.json",
    ];
    expect(await packed({}, { ".npmignore": rules, ".gitignore": "*" })).toEqual(expected);
    expect(await packed({}, { ".gitignore": rules })).toEqual(expected);
    const machine = await npmMachine(project({}, { ".gitignore": rules }));
    expect((await machine.sh("cd pk; npm pack --dry-run --loglevel=warn")).stderr).toBe(
      "npm warn gitignore-fallback No .npmignore file found, using .gitignore for file exclusion. Consider creating a .npmignore file to explicitly control published files.\n",
    );
  });

  it("heeds rules of folders below, braces and double stars", async () => {
    const more = { "lib/.npmignore": "a.js\n", ".npmignore": "{test,bin}\n**/*.log\n" };
    expect(await packed({}, more)).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "bin/p.js",
      "lib/secret.js",
      "lib/sub/b.js",
      "main.js",
      "package.json",
    ]);
  });

  it("writes a tarball that tar reads, the same each time", async () => {
    const machine = await npmMachine(project({ files: [] }));
    const script =
      "cd pk; npm pack -s; tar tvzf pk-1.0.0.tgz; cp pk-1.0.0.tgz /tmp/1.tgz; touch main.js; npm pack -s --pack-destination /tmp; cmp /tmp/1.tgz /tmp/pk-1.0.0.tgz && gzip -t /tmp/1.tgz";
    expect(await machine.sh(script)).toEqual({
      stdout: [
        "pk-1.0.0.tgz",
        "-rw-r--r-- 0/0               0 1985-10-26 08:15 package/LICENSE",
        "-rw-r--r-- 0/0               0 1985-10-26 08:15 package/main.js",
        "-rwxr-xr-x 0/0               0 1985-10-26 08:15 package/bin/p.js",
        "-rw-r--r-- 0/0              82 1985-10-26 08:15 package/package.json",
        "-rw-r--r-- 0/0               0 1985-10-26 08:15 package/README.md",
        "pk-1.0.0.tgz",
        "",
      ].join("\n"),
      ...clean,
    });
  });

  it("tells what is in it", async () => {
    const machine = await npmMachine({
      "/home/user/pk/package.json": '{"name":"@sc/pk","version":"1.0.0"}',
      "/home/user/pk/big.txt": "x".repeat(12_345),
    });
    const { stdout, stderr } = await machine.sh("cd pk; npm pack");
    expect(stdout).toBe("sc-pk-1.0.0.tgz\n");
    expect(stderr.replace(/(package size|shasum|integrity): .*/g, "$1")).toBe(
      "npm notice\nnpm notice 📦  @sc/pk@1.0.0\nnpm notice Tarball Contents\nnpm notice 12.3kB big.txt\nnpm notice 35B package.json\nnpm notice Tarball Details\nnpm notice name: @sc/pk\nnpm notice version: 1.0.0\nnpm notice filename: sc-pk-1.0.0.tgz\nnpm notice package size\nnpm notice unpacked size: 12.4 kB\nnpm notice shasum\nnpm notice integrity\nnpm notice total files: 2\nnpm notice\n",
    );
    const checks = await machine.sh("cd pk; sha1sum sc-pk-1.0.0.tgz | cut -d' ' -f1");
    expect(stderr).toContain(`npm notice shasum: ${checks.stdout}`);
  });

  it("refuses a package without a name", async () => {
    const machine = await npmMachine({ "/home/user/pk/package.json": "{}" });
    expect(await machine.sh("cd pk; npm pack")).toEqual({
      stdout: "",
      stderr: "npm error Invalid package, must have name and version\n",
      status: 1,
    });
  });
});
