// Takes Node's own JavaScript library, and the constants of its bindings, out of the Node that runs
// this: `node --expose-internals dump-node-library.mjs <file>`. The guest's library is made of it.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isMap, isTypedArray } from "node:util/types";

const file = process.argv[2];
if (file === undefined) throw new Error("usage: dump-node-library.mjs <file>");
process.removeAllListeners("warning");
process.on("warning", () => undefined);
const require = createRequire(import.meta.url);
// By a name that TypeScript does not look for: there are no types of it.
const binding = "internal/test/binding";
const { internalBinding } = require(binding);
const { natives, config, builtinIds } = internalBinding("builtins");

/** Bindings whose constants are taken; their functions are ours. */
const names = [
  ..."async_context_frame async_wrap blob block_list buffer builtins cares_wrap config constants".split(
    " ",
  ),
  ..."contextify credentials crypto diagnostics_channel encoding_binding errors fs fs_dir".split(
    " ",
  ),
  ..."fs_event_wrap heap_utils http2 http_parser icu inspector js_stream locks messaging mksnapshot".split(
    " ",
  ),
  ..."module_wrap modules options os performance permission pipe_wrap process_methods".split(" "),
  ..."process_wrap profiler report sea serdes signal_wrap spawn_sync stream_wrap".split(" "),
  ..."string_decoder symbols task_queue tcp_wrap timers trace_events tty_wrap types udp_wrap url".split(
    " ",
  ),
  ..."url_pattern util uv v8 wasm_web_api watchdog worker zlib".split(" "),
];

const seen = new Set();

/**
 * A value as JSON; undefined for what has no place there.
 *
 * @param {any} value
 * @returns {any}
 */
function plain(value) {
  if (typeof value === "function") return undefined;
  if (typeof value === "symbol") return { $symbol: value.description };
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (value === undefined) return { $undefined: true };
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (typeof value !== "object" || value === null) return value;
  if (isTypedArray(value)) return plainArray(value);
  if (isMap(value)) return { $map: [...value].map(([key, one]) => [plain(key), plain(one)]) };
  if (seen.has(value)) return undefined;
  seen.add(value);
  const result = Array.isArray(value)
    ? value.map((one) => plain(one) ?? null)
    : Object.fromEntries(
        Object.getOwnPropertyNames(value)
          .map((name) => [name, plain(value[name])])
          .filter(([, one]) => one !== undefined),
      );
  seen.delete(value);
  return result;
}

/** @param {any} array */
function plainArray(array) {
  const $array = array.constructor.name;
  const values = Array.from(array, (one) => (typeof one === "bigint" ? String(one) : one));
  return values.every((one) => Number(one) === 0)
    ? { $array, length: values.length }
    : { $array, values };
}

/** @type {Record<string, any>} */
const statics = {};
for (const name of names) {
  const found = internalBinding(name);
  const skipped = name === "builtins" ? new Set(["natives"]) : new Set();
  statics[name] = Object.fromEntries(
    Object.getOwnPropertyNames(found)
      .filter((key) => !skipped.has(key))
      .map((key) => [key, plain(found[key])])
      .filter(([, one]) => one !== undefined),
  );
}
const { getCLIOptionsValues, getCLIOptionsInfo } = internalBinding("options");
statics["options"].values = plain(getCLIOptionsValues());
// On for this script alone.
statics["options"].values["--expose-internals"] = false;
statics["options"].info = plain(getCLIOptionsInfo());
for (const [, option] of statics["options"].info.options.$map) delete option.helpText;
// Private symbols: a script can not make one, the snapshot's first script can.
for (const symbol of Object.values(statics["util"].privateSymbols)) symbol.$private = true;
statics["uv"].names = plain(internalBinding("uv").getErrorMap?.() ?? new Map());

writeFileSync(
  file,
  JSON.stringify({
    natives,
    builtinIds,
    config,
    statics,
    versions: process.versions,
    release: process.release,
    version: process.version,
  }),
);
