import { isKernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { relativePath } from "./relative-path.ts";
import { resolvePath } from "./resolve-path.ts";

export const main = defineProgram(
  {
    name: "realpath",
    usage: ["[OPTION]... FILE..."],
    summary: "Print the resolved absolute file name;\nall but the last component must exist",
    options: [
      { short: "e", long: "canonicalize-existing", help: "all components of the path must exist" },
      {
        short: "m",
        long: "canonicalize-missing",
        help: "no path components need exist or be a directory",
      },
      { short: "L", long: "logical", help: "resolve '..' components before symlinks" },
      { short: "P", long: "physical", help: "resolve symlinks as encountered (default)" },
      {
        long: "relative-to",
        value: "DIR",
        help: "print the resolved path relative to DIR",
      },
      {
        long: "relative-base",
        value: "DIR",
        help: "print absolute paths unless paths below DIR",
      },
      { short: "q", long: "quiet", help: "suppress most error messages" },
      { short: "s", long: "strip", help: "don't expand symlinks" },
      { long: "no-symlinks", help: "same as --strip" },
      { short: "z", long: "zero", help: "end each output line with NUL, not newline" },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    const how = run.options.last("canonicalize-existing", "canonicalize-missing");
    const existence =
      how === "canonicalize-existing" ? "all" : how === "canonicalize-missing" ? "none" : "parents";
    const show = await makeShow(run);
    for (const operand of run.operands) {
      try {
        const path = await resolve(run, operand, existence);
        run.out.addText(`${show(path)}${run.has("zero") ? "\0" : "\n"}`);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        run.status = 1;
        if (!run.has("quiet"))
          await run.warn(`${operand === "" ? "''" : operand}: ${errorWords(error)}`);
      }
    }
  },
);

type Existence = "all" | "parents" | "none";

/** Links are left alone with -s, and looked at after `..` with -L. */
async function resolve(run: Run, path: string, existence: Existence): Promise<string> {
  const how = run.options.last("strip", "no-symlinks", "logical", "physical");
  if (how === undefined || how === "physical") return resolvePath(run.sys, path, existence);
  const start = path.startsWith("/") ? path : `${await run.sys.getcwd()}/${path}`;
  const names: string[] = [];
  for (const name of start.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const plain = `/${names.join("/")}`;
  if (how === "logical") return resolvePath(run.sys, plain, existence);
  if (existence === "all") await run.sys.stat(path);
  return plain;
}

/** Relative to a directory, where that is asked for. */
async function makeShow(run: Run): Promise<(path: string) => string> {
  const base = run.options.get("relative-base");
  const to = run.options.get("relative-to") ?? base;
  if (to === undefined) return (path) => path;
  const from = await resolve(run, to, "none");
  const root = base === undefined ? undefined : await resolve(run, base, "none");
  const isBelow = (path: string): boolean =>
    root === undefined || path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
  return (path) => (isBelow(path) && isBelow(from) ? relativePath(from, path) : path);
}
