/**
 * Runs inside the VM: `node -e <this> -- <file> <language> <code>`. Evaluates the code as an expression
 * or, where it is none, as the body of an async function, and writes the outcome to the file as JSON.
 */
export const evaluateScript = `
const { writeFileSync } = require("node:fs");
const { createRequire, stripTypeScriptTypes } = require("node:module");
const vm = require("node:vm");
const [file, language, code] = process.argv.slice(1);
const compile = (text) =>
  new vm.Script(language === "typescript" ? stripTypeScriptTypes(text) : text, {
    filename: "code",
    lineOffset: -1,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
const ownFrames = /\\n {4}at (?:async )?(?:\\S+ \\()?\\[eval\\]:\\d[^]*$/;
const describe = (error) =>
  error instanceof Error
    ? {
        name: String(error.name),
        message: String(error.message),
        stack: String(error.stack).replace(ownFrames, ""),
      }
    : { name: "Error", message: "threw " + require("node:util").inspect(error) };
const finish = (outcome, status) => {
  writeFileSync(file, JSON.stringify(outcome), { mode: 0o600, flag: "wx" });
  process.exit(status);
};
const fail = (error) => finish({ error: describe(error) }, 1);
process.on("uncaughtException", fail);
(async () => {
  globalThis.require = createRequire(process.cwd() + "/");
  let script;
  try {
    script = compile("(async () => (\\n" + code + "\\n))");
  } catch {
    script = compile("(async () => {\\n" + code + "\\n})");
  }
  const value = await script.runInThisContext()();
  try {
    finish(value === undefined ? {} : { value }, 0);
  } catch (cause) {
    throw new TypeError("The value cannot be given as JSON: " + cause.message, { cause });
  }
})().catch(fail);
`;
