import { isKernelError, O_CLOEXEC, O_CREAT, O_EXCL, O_RDWR } from "../../kernel/index.ts";
import { joinPath } from "./directory.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** Names tried before giving up. */
const ATTEMPTS = 64;

export const main = defineProgram(
  {
    name: "mktemp",
    usage: ["[OPTION]... [TEMPLATE]"],
    summary: "Create a temporary file or directory, safely, and print its name.",
    options: [
      { short: "d", long: "directory", help: "create a directory, not a file" },
      { short: "u", long: "dry-run", help: "do not create anything; merely print a name (unsafe)" },
      { short: "q", long: "quiet", help: "suppress diagnostics about file/dir-creation failure" },
      { long: "suffix", value: "SUFF", help: "append SUFF to TEMPLATE" },
      {
        short: "p",
        long: "tmpdir",
        value: "DIR",
        isOptional: false,
        help: "interpret TEMPLATE relative to DIR",
      },
      { short: "t", help: "interpret TEMPLATE as a single file name component" },
    ],
  },
  async (run) => {
    const [given, extra] = run.operands;
    if (extra !== undefined) throw new UsageError("too many templates");
    const template = (given ?? "tmp.XXXXXXXXXX") + (run.options.get("suffix") ?? "");
    const match =
      /^(.*?)(X{3,})([^X/]*)$/s.exec(template) ?? /^(.*[^X])?(X{3,})([^X/]*)$/s.exec(template);
    if (match === null)
      throw new UsageError(`too few X's in template ${quoteName(given ?? "")}`, { hasHint: false });
    const isInTemporary = given === undefined || run.has("tmpdir") || run.has("t");
    const environment = await run.sys.environ();
    const directory = isInTemporary
      ? (run.options.get("tmpdir") ?? environment.get("TMPDIR") ?? "/tmp")
      : undefined;
    await make(run, [match[1] ?? "", match[2] ?? "", match[3] ?? ""], directory);
  },
);

async function make(
  run: Run,
  [head, marks, tail]: readonly [string, string, string],
  directory: string | undefined,
): Promise<void> {
  const random = new Uint8Array(marks.length);
  const isDirectory = run.has("directory");
  let path = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await run.sys.getrandom(random);
    const name = `${head}${[...random].map((byte) => letters.charAt(byte % letters.length)).join("")}${tail}`;
    path = directory === undefined ? name : joinPath(directory, name);
    try {
      if (!run.has("dry-run")) await create(run, path, isDirectory);
      run.out.addText(`${path}\n`);
      return;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (error.errno === "EEXIST") continue;
      run.status = 1;
      const template =
        directory === undefined
          ? `${head}${marks}${tail}`
          : joinPath(directory, `${head}${marks}${tail}`);
      if (!run.has("quiet"))
        await run.warn(
          `failed to create ${isDirectory ? "directory" : "file"} via template ${quoteName(template)}: ${errorWords(error)}`,
        );
      return;
    }
  }
  await run.fail(
    `failed to create ${isDirectory ? "directory" : "file"} via template ${quoteName(path)}: File exists`,
  );
}

async function create({ sys }: Run, path: string, isDirectory: boolean): Promise<void> {
  if (isDirectory) return sys.mkdir(path, 0o700);
  return sys.close(await sys.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600));
}
