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
      { short: "p", value: "DIR", help: "interpret TEMPLATE relative to DIR" },
      {
        long: "tmpdir",
        value: "DIR",
        isOptional: true,
        help: "likewise; without DIR use $TMPDIR if set, else /tmp",
      },
      { short: "t", help: "interpret TEMPLATE as a single file name component" },
    ],
  },
  async (run) => {
    const [given, extra] = run.operands;
    if (extra !== undefined) throw new UsageError("too many templates");
    const [head, marks, tail] = readTemplate(given ?? "tmp.XXXXXXXXXX", run.options.get("suffix"));
    const isInTemporary = given === undefined || ["p", "tmpdir", "t"].some((name) => run.has(name));
    const directory = isInTemporary ? await chooseDirectory(run, given ?? "") : undefined;
    await make(run, [head, marks, tail], directory);
  },
);

/** What is before the marks, the marks, and what is behind them. */
function readTemplate(given: string, suffix: string | undefined): [string, string, string] {
  if (suffix !== undefined && !given.endsWith("X"))
    refuse(`with --suffix, template ${quoteName(given)} must end in X`);
  const end = given.lastIndexOf("X") + 1;
  const tail = suffix ?? (end === 0 ? "" : given.slice(end));
  if (tail.includes("/")) refuse(`invalid suffix ${quoteName(tail)}, contains directory separator`);
  const front = given.slice(0, end);
  const marks = /X*$/.exec(front)?.[0] ?? "";
  if (marks.length < 3) refuse(`too few X's in template ${quoteName(given)}`);
  return [front.slice(0, front.length - marks.length), marks, tail];
}

async function chooseDirectory(run: Run, template: string): Promise<string> {
  const fromEnvironment = (await run.sys.environ()).get("TMPDIR") || undefined;
  const last = run.options.last("p", "tmpdir");
  const given = (last === undefined ? undefined : run.options.get(last)) || undefined;
  if (run.has("t")) {
    if (template.includes("/"))
      refuse(`invalid template, ${quoteName(template)}, contains directory separator`);
    return fromEnvironment ?? given ?? "/tmp";
  }
  if (template.startsWith("/"))
    refuse(`invalid template, ${quoteName(template)}; with --tmpdir, it may not be absolute`);
  return given ?? fromEnvironment ?? "/tmp";
}

function refuse(message: string): never {
  throw new UsageError(message, { hasHint: false });
}

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
