/**
 * Part of the guest's script: `defineGlobals(notes, addText)` gives code `tools`, `vm`, `fs`, `store`, `load` and
 * `text`. Their types are in checker/globals.ts.
 */
export const globalsScript = String.raw`
const TEXT_LIMIT = 1024 * 1024;
const TEXTS_LIMIT = 10000;
const OUTPUT_LIMIT = 16 * 1024 * 1024;
const KEY_LIMIT = 200;
const runCommand = (command, options = {}) =>
  new Promise((resolve, reject) => {
    const { cwd, env, stdin = "", timeoutMs } = options;
    const settings = { cwd, env: { ...process.env, ...env }, timeout: timeoutMs, maxBuffer: OUTPUT_LIMIT };
    const end = (error, stdout, stderr) => {
      if (error && typeof error.code !== "number" && !error.signal) return reject(error);
      const { code = 0, signal } = error ?? {};
      const exitCode = signal ? 128 + require("node:os").constants.signals[signal] : code;
      resolve({ exitCode, ...(signal ? { signal } : {}), stdout, stderr });
    };
    const child = require("node:child_process").execFile("bash", ["-c", String(command)], settings, end);
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
  });
const fileOf = (key) => {
  const name = typeof key === "string" ? encodeURIComponent(key.toWellFormed()) : "";
  if (name === "" || name.length > KEY_LIMIT)
    throw new TypeError("A key is a text of 1 to " + KEY_LIMIT + " characters, others than letters and digits counting as three or more.");
  return (process.env.HOME ?? "/home/user") + "/.agentos/store/_" + name;
};
const defineGlobals = (notes, addText) => {
  const promises = require("node:fs/promises");
  let textLeft = TEXT_LIMIT;
  let isTextCut = false;
  let texts = 0;
  let stored = 0;
  const store = async (key, value) => {
    const file = fileOf(key);
    if (value === undefined) return promises.rm(file, { force: true });
    const json = JSON.stringify(toPlain(value, "stored " + key, notes));
    if (json.length > limitBytes) throw new RangeError("stored " + key + " is too large: " + json.length + " characters of JSON, the limit is " + limitBytes);
    await promises.mkdir(require("node:path").dirname(file), { recursive: true });
    const made = file + "." + process.pid + "-" + (stored += 1);
    await promises.writeFile(made, json);
    await promises.rename(made, file);
  };
  const load = async (key) => {
    try {
      return JSON.parse(await promises.readFile(fileOf(key), "utf8"));
    } catch (error) {
      if (error.code === "ENOENT") return undefined;
      throw error;
    }
  };
  const text = (value) => {
    const all = typeof value === "string" ? value : (JSON.stringify(toPlain(value, "text", notes)) ?? "undefined");
    const shown = texts < TEXTS_LIMIT ? all.slice(0, textLeft) : "";
    const isCut = shown.length < all.length || texts >= TEXTS_LIMIT;
    if (isCut && !isTextCut) notes.push("text() beyond " + TEXT_LIMIT + " characters or " + TEXTS_LIMIT + " texts is left out");
    isTextCut ||= isCut;
    textLeft -= shown.length;
    if (texts >= TEXTS_LIMIT || (shown === "" && all !== "")) return;
    texts += 1;
    addText(shown);
  };
  const globals = { vm: Object.freeze({ exec: runCommand }), fs: promises, store, load, text };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: true });
  Object.defineProperty(globalThis, "tools", { get: () => require("agentos").tools, configurable: true, enumerable: true });
};
`;
