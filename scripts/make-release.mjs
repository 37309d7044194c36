// Lays out what is published, one folder a package below .release/: agentos-mcp itself, and the
// pinned Node for each platform, repacked without a `bin`. Publishing is `npm publish <folder>` for
// each, agentos-mcp last. `--here` lays out this platform's Node only, for trying the package.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "./find-command.mjs";
import { pinnedNodePackages } from "./pinned-node-packages.mjs";

/** @typedef {import("./pinned-node-packages.mjs").PinnedNodePackage} PinnedNodePackage */

const release = join(projectRoot, ".release");

/**
 * Lays the release out anew and returns its folders. Expects dist to be built.
 *
 * @param {{ here: boolean }} options
 * @returns {string[]}
 */
export function makeRelease({ here }) {
  rmSync(release, { recursive: true, force: true });
  const rows = pinnedNodePackages.filter(
    ({ os, cpu }) => !here || (os === process.platform && cpu === process.arch),
  );
  return [...rows.map((row) => layOutNode(row, { here })), layOutMain(release)];
}

/**
 * Lays out agentos-mcp itself in a new folder below `into`, and returns that folder.
 *
 * @param {string} into
 * @returns {string}
 */
export function layOutMain(into) {
  const { devDependencies: _dev, scripts: _scripts, ...published } = rootManifest();
  const folder = join(into, published.name);
  mkdirSync(folder, { recursive: true });
  for (const file of [...published.files, "README.md", "LICENSE"]) {
    cpSync(join(projectRoot, file), join(folder, file), { recursive: true });
  }
  const nodes = pinnedNodePackages.map((row) => [row.released, versionOf(row)]);
  published.optionalDependencies = Object.fromEntries(nodes);
  writeJson(join(folder, "package.json"), published);
  return folder;
}

/** @param {PinnedNodePackage} row */
function versionOf(row) {
  return rootManifest().optionalDependencies[row.source];
}

function rootManifest() {
  return readJson(join(projectRoot, "package.json"));
}

/**
 * @param {PinnedNodePackage} row
 * @param {{ here: boolean }} options
 */
function layOutNode(row, { here }) {
  const version = versionOf(row);
  const folder = join(release, row.released);
  const source = here ? join(projectRoot, "node_modules", row.source) : download(row, version);
  mkdirSync(folder, { recursive: true });
  cpSync(join(source, "bin"), join(folder, "bin"), { recursive: true });
  cpSync(join(source, "LICENSE"), join(folder, "LICENSE"));
  writeJson(join(folder, "package.json"), {
    name: row.released,
    version,
    description: `Node.js ${version} for agentos-mcp on ${row.os} ${row.cpu}.`,
    license: "MIT",
    os: [row.os],
    cpu: [row.cpu],
    files: ["bin", "LICENSE"],
    preferUnplugged: true,
  });
  return folder;
}

/**
 * Unpacks a platform's package, once its bytes are those that package-lock.json names.
 *
 * @param {PinnedNodePackage} row
 * @param {string} version
 */
function download(row, version) {
  const into = join(tmpdir(), `agentos-mcp-release-${process.pid}`, row.source);
  mkdirSync(into, { recursive: true });
  const args = ["pack", "--json", "--pack-destination", into, `${row.source}@${version}`];
  const [packed] = JSON.parse(execFileSync("npm", args, { encoding: "utf8", cwd: into }));
  const lock = readJson(join(projectRoot, "package-lock.json"));
  if (packed.integrity !== lock.packages[`node_modules/${row.source}`].integrity) {
    throw new Error(`${row.source}@${version} is not what package-lock.json names.`);
  }
  const [tarball] = readdirSync(into).filter((name) => name.endsWith(".tgz"));
  execFileSync("tar", ["-xzf", String(tarball)], { cwd: into });
  return join(into, "package");
}

/**
 * @param {string} file
 * @returns {any}
 */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * @param {string} file
 * @param {unknown} value
 */
function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folders = makeRelease({ here: process.argv.includes("--here") });
  process.stdout.write(`${folders.join("\n")}\n`);
}
