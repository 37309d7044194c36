import { globalsScript } from "./globals.ts";
import { plainValueScript } from "./plain-value.ts";

/**
 * Runs inside the VM: evaluates the code of a request as an expression or, where it is none, as the body of an async
 * function. What comes of it is added to the journal, a file of JSON lines: { text } for each text(), and at last
 * { value, notes } or { error }.
 */
export const evaluateScript = String.raw`(require, request) => {
${plainValueScript}${globalsScript}
const nodeFs = require("node:fs");
const nodeModule = require("node:module");
const nodeVm = require("node:vm");
const { code, language, journal, isCodeMode, limitBytes } = request;
const record = nodeFs.openSync(journal, "wx", 0o600);
const add = (entry) => nodeFs.writeSync(record, entry + "\n");
const compile = (text) =>
  new nodeVm.Script(text, {
    filename: "code",
    lineOffset: -1,
    importModuleDynamically: nodeVm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
const forms = [["(async () => (\n", "\n))"], ["(async () => {\n", "\n})"]];
const compileEither = (text) => {
  let problem;
  for (const [before, after] of forms) {
    try {
      return compile(before + text + after);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
};
const stripped = () => {
  for (const [before, after] of forms) {
    try {
      const text = nodeModule.stripTypeScriptTypes(before + code + after);
      return compile(text);
    } catch {}
  }
  return undefined;
};
const compileCode = () => {
  if (language === "typescript") return stripped() ?? compileEither(code);
  try {
    return compileEither(code);
  } catch (error) {
    const typed = language === undefined ? stripped() : undefined;
    if (typed === undefined) throw error;
    return typed;
  }
};
const ERROR_LIMIT = 64 * 1024;
const cut = (said, text = String(said)) => (text.length > ERROR_LIMIT ? text.slice(0, ERROR_LIMIT - 1) + "…" : text);
const ownFrames = /\n {4}at (?:async )?(?:\S+ \()?agentos:\d[^]*$/;
const causeOf = ({ cause }) => (isCodeMode && cause instanceof Error && cause.message ? cause.message : undefined);
const messageOf = (error) => (causeOf(error) === undefined ? error.message : error.message + " (" + causeOf(error) + ")");
// Frames of Node's own library say nothing of the code.
const stackOf = (error) => {
  const stack = String(error.stack).replace(ownFrames, "");
  if (!isCodeMode) return stack;
  return stack.replace(error.message, () => messageOf(error)).replace(/\n {4}at (?:async )?(?:[^\n]* \()?node:[^\n]*/g, "");
};
const describe = (error) =>
  error instanceof Error
    ? {
        name: cut(error.name),
        message: cut(messageOf(error)),
        stack: cut(stackOf(error)),
        ...(typeof error.code === "string" ? { code: cut(error.code) } : {}),
      }
    : { name: "Error", message: "threw " + cut(require("node:util").inspect(error)) };
const finish = (outcome, status) => {
  add(outcome);
  process.exit(status);
};
const notes = [];
const noteGivenUp = () => {
  if (!isCodeMode || !/\b(?:tools|agentos)\b/.test(code)) return;
  const calls = require("agentos")[Symbol.for("agentos.callsUnderWay")];
  if (calls > 0) notes.push((calls === 1 ? "1 call of a tool was" : calls + " calls of tools were") + " under way when the code ended, and given up: await calls, several by Promise.all; forEach does not wait");
};
const fail = (error) => {
  noteGivenUp();
  finish(JSON.stringify({ error: describe(error), notes }), 1);
};
const give = (value) => {
  noteGivenUp();
  const text = JSON.stringify({ value: toPlain(value, "value", notes), notes });
  if (text.length > limitBytes)
    throw new RangeError("The value is too large: " + text.length + " characters of JSON, the limit is " + limitBytes + ". Return less of it, or write it to a file.");
  finish(text, 0);
};
process.on("uncaughtException", fail);
(async () => {
  globalThis.require = nodeModule.createRequire(process.cwd() + "/");
  if (isCodeMode) defineGlobals(notes, (text) => add(JSON.stringify({ text })));
  const value = await compileCode().runInThisContext()();
  give(isCodeMode && typeof value === "function" ? await value() : value);
})().catch(fail);
}`;

/** Given to `node -e`: takes the script and its request from stdin, so that command lines stay short. */
export const evaluateLoader =
  'const r=JSON.parse(require("fs").readFileSync(0,"utf8")||"{}");' +
  'r.script&&require("vm").runInThisContext(r.script,"agentos")(require,r)';
