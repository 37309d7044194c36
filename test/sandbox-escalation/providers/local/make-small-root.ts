// A root for tests: the files of this machine's own essential Debian packages and what they need, in an archive.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The archive, made once for each set of versions; undefined where the machine is no Debian. */
export function findSmallRoot(): string | undefined {
  const packages = listPackages();
  if (packages.length === 0) return undefined;
  const digest = createHash("sha256").update(packages.join()).digest("hex").slice(0, 16);
  const archive = join(tmpdir(), `agentos-mcp-small-root-${process.getuid?.()}-${digest}.tar`);
  if (existsSync(archive)) return archive;
  const work = mkdtempSync(join(tmpdir(), "agentos-mcp-small-root-"));
  try {
    const names = packages.map((line) => line.split(" ")[0] ?? "");
    const listed = run("dpkg-query", ["-L", ...names]).split("\n");
    const paths = new Set([...links, ...listed.map((path) => path.slice(1))].filter(isWanted));
    writeFileSync(join(work, "paths"), [...paths].join("\n"));
    const choice = ["--no-recursion", "--verbatim-files-from", "-T", join(work, "paths")];
    run("tar", ["-C", "/", "-cf", join(work, "root.tar"), "--ignore-failed-read", ...choice]);
    renameSync(join(work, "root.tar"), archive);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return archive;
}

/** Not in any package where /usr is merged; accounts are made when base-passwd is installed. */
const links = [
  ...["usr", "usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "bin", "sbin", "lib", "lib64", "etc"],
  ...["etc/passwd", "etc/group"],
].filter((name) => existsSync(join("/", name)));

function isWanted(path: string): boolean {
  return path !== "" && path !== "." && !/^usr\/share\/(doc|man|locale|info)\//.test(path);
}

/** `name version` of each essential package and of all that they depend on. */
function listPackages(): string[] {
  const fields = ["Package", "Version", "Essential", "Pre-Depends", "Depends"];
  const [name, version, ...others] = fields.map((field) => `\${${field}}`);
  const rows = readRows(`${name} ${version}\t${others.join("\t")}\n`).map((row) => row.split("\t"));
  const byName = new Map(rows.map((row) => [row[0]?.split(" ")[0] ?? "", row]));
  const wanted = new Set<string>();
  const want = (name: string) => {
    const row = byName.get(name);
    if (name === "" || row === undefined || wanted.has(row[0] ?? "")) return;
    wanted.add(row[0] ?? "");
    for (const word of row.slice(2).join().split(/[,|]/)) want(word.trim().split(/[ (:]/)[0] ?? "");
  };
  for (const [name, row] of byName) if (row[1] === "yes") want(name);
  want("mount");
  return [...wanted].toSorted();
}

function readRows(format: string): string[] {
  try {
    return run("dpkg-query", ["-W", "-f", format]).trim().split("\n");
  } catch {
    return [];
  }
}

function run(command: string, argv: readonly string[]): string {
  return execFileSync(command, argv, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** The obstacle for tests of sandboxes with a root of their own. */
export function noSmallRoot(image: string | undefined): string | undefined {
  return image === undefined ? "needs dpkg, whose lists say what a small root holds" : undefined;
}
