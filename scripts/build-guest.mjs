// Makes what guest JavaScript starts from, below <dist>/guest: Node's own library (out of the Node that
// runs this) on our bindings (src/vm/node) as one script, a V8 snapshot of the state after it, and the
// rest of the library's sources for when they are asked for.
// Run on the pinned Node by ensure-dist.mjs: `build-guest.mjs <dist>`.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";
import { projectRoot } from "./find-command.mjs";

const dist = process.argv[2];
if (dist === undefined) throw new Error("usage: build-guest.mjs <dist>");
const directory = join(dist, "guest");
mkdirSync(directory, { recursive: true });

const dumpFile = join(directory, "dump.json");
const dumpScript = fileURLToPath(new URL("dump-node-library.mjs", import.meta.url));
execFileSync(process.execPath, ["--expose-internals", dumpScript, dumpFile], {
  stdio: ["ignore", "ignore", "pipe"],
});
const { natives, ...library } = JSON.parse(readFileSync(dumpFile, "utf8"));
rmSync(dumpFile);

/** Builtins that are a part of the snapshot; all others are compiled when they are first required. */
const left = [
  /^internal\/deps\/(?:amaro|undici|acorn|minimatch|v8)/,
  /^internal\/(?:bench_runner|debugger|dtls|ffi|http2|main\/|quic|repl|test_runner|tls\/|vfs|watch_mode|zip)/,
  /^internal\/(?:crypto|freeze_intrinsics|histogram|locks|cluster|per_context\/x|streams\/iter)/,
  /^(?:_tls|bench|cluster|crypto|dtls|ffi|http2|https|inspector|quic|repl|sea|sqlite|test|tls|trace_events|vfs|wasi|zlib)/,
];
/** @param {string} id */
const isInSnapshot = (id) =>
  id === "internal/main/run_main_module" ||
  id === "internal/main/eval_string" ||
  !left.some((pattern) => pattern.test(id));

/**
 * The parameters that node::builtins::BuiltinLoader gives a builtin.
 *
 * @param {string} id
 */
function parametersOf(id) {
  if (id.startsWith("internal/per_context/"))
    return "exports, primordials, privateSymbols, perIsolateSymbols";
  if (id === "internal/bootstrap/realm")
    return "process, getLinkedBinding, getInternalBinding, primordials";
  if (id.startsWith("internal/bootstrap/") || id.startsWith("internal/main/"))
    return "process, require, internalBinding, primordials";
  return "exports, require, module, process, internalBinding, primordials";
}

const guestCode = join(dist, "vm", "node");

/**
 * @param {string} name
 * @returns {Promise<string>} A module of src/vm/node with all it imports, as one script.
 */
async function bundle(name) {
  const bundled = await rolldown({
    input: join(guestCode, name),
    platform: "neutral",
    // Of cjs-module-lexer, the one in plain JavaScript: a snapshot holds no WebAssembly.
    resolve: { conditionNames: ["default"], modules: [join(projectRoot, "node_modules")] },
  });
  const { output } = await bundled.generate({ format: "iife", minify: false });
  await bundled.close();
  return output[0].code;
}

/**
 * Code without comments, each line where it was, in Latin-1: it takes half the memory, and less.
 *
 * @param {string} filename
 * @param {string} code
 */
function strip(filename, code) {
  let text = "";
  let at = 0;
  for (const { start, end, value } of parseSync(filename, code, { sourceType: "script" })
    .comments) {
    // It means something to who shows an error of this line.
    if (value.includes("node-do-not-add-exception-line")) continue;
    // It is a part of what Node shows above errors.
    if (
      /^ *(?:throw |triggerUncaughtException\()/.test(code.slice(code.lastIndexOf("\n", start) + 1))
    )
      continue;
    text += code.slice(at, start) + code.slice(start, end).replace(/[^\n]+/g, "");
    at = end;
  }
  return (text + code.slice(at)).replace(
    /[^\0-\xff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * @param {string} filename
 * @param {string} code
 */
const script = (filename, code) => ({ filename, code: strip("guest.js", code) });
const scripts = [
  script(
    "node:internal/library",
    `globalThis.__library = JSON.parse(${JSON.stringify(JSON.stringify(library))}); globalThis.__compiled = {};
    globalThis.__keep = (id, run) => { __compiled[id] = run; };
    globalThis.__privateSymbol = (0, eval)("(description) => %CreatePrivateSymbol(description)");`,
  ),
  ...Object.keys(natives)
    .filter(isInSnapshot)
    .map((id) =>
      script(
        `node:${id}`,
        // Not by an assignment: V8 would name the function after it, in stacks.
        `__keep(${JSON.stringify(id)}, function (${parametersOf(id)}) {${natives[id]}\n});`,
      ),
    ),
  script("node:internal/guest", await bundle("guest.js")),
];
const rest = Object.fromEntries(Object.entries(natives).filter(([id]) => !isInSnapshot(id)));
writeFileSync(join(directory, "builtins.json"), JSON.stringify(rest));
const rehearsal = await bundle("rehearsal.js");
writeFileSync(join(directory, "scripts.json"), JSON.stringify({ scripts, rehearsal }));
const make = fileURLToPath(new URL("make-guest-snapshot.mjs", import.meta.url));
execFileSync(process.execPath, ["--no-node-snapshot", make, directory], {
  stdio: ["ignore", "ignore", "pipe"],
});
rmSync(join(directory, "scripts.json"));
