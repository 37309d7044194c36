// Brings dist up to date with src in a checkout: quietly (stdout belongs to MCP), in a few
// milliseconds when nothing changed, and safely when several processes do it at once. Runs on any
// Node from 20 up. Types are not checked here; `npm run types` and `npm run build` do that.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { withBuildLock } from "./build-lock.mjs";
import { findCommand, projectRoot } from "./find-command.mjs";
import { findPinnedNode } from "./find-pinned-node.mjs";
import { vendorGuestBinding, vendorIsolatedVm } from "./vendor-isolated-vm.mjs";

const source = join(projectRoot, "src");
const dist = join(projectRoot, "dist");
const buildIdFile = join(dist, "build-id");
const scratch = join(projectRoot, ".dist-build");
const stampFile = join(scratch, "stamp");

/** A build that takes longer than this is broken. */
const buildLimitMs = 120_000;

/**
 * Makes dist the build of src as it is now, and dist/build-id the hash that names it. Files are
 * replaced one by one and whole, those that did not change stay as they are. Throws, with the
 * compiler's words, when src does not parse.
 *
 * @returns {Promise<void>}
 */
export async function ensureDist() {
  if (isFresh()) return;
  mkdirSync(scratch, { recursive: true });
  await withBuildLock(join(scratch, "lock"), async () => {
    if (isFresh()) return;
    const stamp = stampOfInputs();
    const buildId = buildIdOfInputs();
    if (!existsSync(buildIdFile) || readFileSync(buildIdFile, "utf8") !== buildId) {
      await build(buildId);
    }
    replaceFile(stampFile, stamp);
  });
}

/** Whether no input was touched since the last build: sizes and times only, no contents. */
function isFresh() {
  return (
    existsSync(buildIdFile) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === stampOfInputs()
  );
}

function stampOfInputs() {
  return inputs()
    .map((file) => {
      const { size, mtimeMs } = statSync(join(projectRoot, file));
      return `${file} ${size} ${mtimeMs}\n`;
    })
    .join("");
}

/** Names the build: equal sources, settings and version give an equal id on every machine. */
function buildIdOfInputs() {
  const hash = createHash("sha256");
  for (const file of inputs()) {
    const content = readFileSync(join(projectRoot, file));
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return `${hash.digest("hex")}\n`;
}

function inputs() {
  const sources = namesBelow(source)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/${name}`);
  return [
    ...sources.sort(),
    "native/guest-binding/prebuilt/linux-x64-glibc.node",
    "package.json",
    "scripts/build-guest.mjs",
    "scripts/bundle-cell.mjs",
    "scripts/bundle-modules.mjs",
    "scripts/bundled-entries.mjs",
    "scripts/dump-node-library.mjs",
    "scripts/make-guest-snapshot.mjs",
    "scripts/module-closure.mjs",
    "scripts/vendor-isolated-vm.mjs",
    "tsconfig.json",
    "tsconfig.build.json",
  ];
}

/** @param {string} buildId */
async function build(buildId) {
  const fresh = join(scratch, `dist-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  try {
    await compile(fresh);
    await runOnPinnedNode(join(projectRoot, "scripts", "bundle-cell.mjs"), [fresh]);
    await runOnPinnedNode(join(projectRoot, "scripts", "bundle-modules.mjs"), [fresh]);
    await runOnPinnedNode(join(projectRoot, "scripts", "build-guest.mjs"), [fresh]);
    vendorIsolatedVm(fresh);
    vendorGuestBinding(fresh);
    rmSync(buildIdFile, { force: true });
    moveInto(dist, fresh);
    replaceFile(buildIdFile, buildId);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** @param {string} into */
async function compile(into) {
  const tsc = findCommand("tsc");
  if (tsc === undefined) throw new Error("TypeScript is not installed; run npm install first.");
  const project = join(projectRoot, "tsconfig.build.json");
  await runOnPinnedNode(tsc, ["-p", project, "--outDir", into, "--noCheck", "--pretty", "false"]);
}

/**
 * Runs one step of the build; what it says is shown only when it fails.
 *
 * @param {string} script
 * @param {readonly string[]} args
 */
async function runOnPinnedNode(script, args) {
  try {
    await promisify(execFile)(findPinnedNode() ?? process.execPath, [script, ...args], {
      timeout: buildLimitMs,
    });
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    const words = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    throw new Error(`The build of src failed:\n${output}${words}`, { cause: error });
  }
}

/**
 * Makes `target` equal to `fresh`, using up `fresh`.
 *
 * @param {string} target
 * @param {string} fresh
 */
function moveInto(target, fresh) {
  const kept = new Set(filesBelow(fresh));
  for (const file of kept) {
    const to = join(target, file);
    mkdirSync(dirname(to), { recursive: true });
    if (!isSameContent(to, join(fresh, file))) renameSync(join(fresh, file), to);
  }
  for (const file of filesBelow(target)) {
    if (!kept.has(file)) rmSync(join(target, file));
  }
}

/** @param {string} directory */
function filesBelow(directory) {
  return namesBelow(directory).filter((name) => statSync(join(directory, name)).isFile());
}

/**
 * Everything below a directory, relative to it, with forward slashes on every platform.
 *
 * @param {string} directory
 */
function namesBelow(directory) {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) =>
    name.replaceAll("\\", "/"),
  );
}

/**
 * @param {string} one
 * @param {string} other
 */
function isSameContent(one, other) {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}

/**
 * @param {string} file
 * @param {string} content
 */
function replaceFile(file, content) {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.argv.includes("--force")) rmSync(dist, { recursive: true, force: true });
  await ensureDist();
}
