/** `file`: says what kind of file each is. */
import { decodeText, isKernelError, type Stat } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { type Description, describeText } from "./describe-text.ts";
import { findMagic } from "./magics.ts";

/** What is looked at of a file, as file has it. */
const HEAD_BYTES = 1_048_576;

export const main = defineProgram(
  {
    name: "file",
    usage: ["[OPTION]... FILE..."],
    summary: "Determine the type of each FILE.",
    options: [
      { short: "b", long: "brief", help: "do not prepend names" },
      { short: "f", long: "files-from", value: "FILE", help: "read names from FILE" },
      { short: "F", long: "separator", value: "TEXT", help: "use TEXT instead of : behind names" },
      { short: "i", long: "mime", help: "MIME type and encoding" },
      { long: "mime-type", help: "MIME type" },
      { long: "mime-encoding", help: "MIME encoding" },
      { short: "h", long: "no-dereference", help: "do not follow links (default)" },
      { short: "L", long: "dereference", help: "follow links" },
      { short: "N", long: "no-pad", help: "do not pad names" },
      { short: "0", long: "print0", help: "end names with NUL" },
      { short: "E", help: "(ignored)" },
      { short: "k", long: "keep-going", help: "(ignored)" },
      { short: "n", long: "no-buffer", help: "(ignored)" },
      { short: "p", long: "preserve-date", help: "(ignored)" },
      { short: "r", long: "raw", help: "(ignored)" },
      { short: "s", long: "special-files", help: "(ignored)" },
    ],
  },
  async (run) => {
    const names = [...(await listedNames(run)), ...run.operands];
    if (names.length === 0) throw new UsageError("missing file operand");
    const width = names.reduce((most, name) => Math.max(most, name.length), 0);
    for (const name of names) {
      const shown = name === "-" ? "/dev/stdin" : name;
      const end = `${run.has("print0") ? "\0" : ""}${run.options.get("separator") ?? ":"} `;
      const pad =
        run.has("no-pad") || run.has("print0") ? "" : " ".repeat(Math.max(0, width - name.length));
      const prefix = run.has("brief") ? "" : `${shown}${end}${pad}`;
      run.out.addText(`${prefix}${show(run, await describe(run, name))}\n`);
      if (run.out.isFull) await run.out.flush();
    }
  },
);

async function listedNames(run: Run): Promise<string[]> {
  const list = run.options.get("files-from");
  if (list === undefined) return [];
  const names: string[] = [];
  await run.withInput(list, async (fd) => {
    const text = decodeText(await readAllBytes(run.sys, fd));
    names.push(...text.split("\n").filter((line) => line !== ""));
  });
  return names;
}

function show(run: Run, { text, mime, charset }: Description): string {
  if (mime === "") return text;
  if (run.has("mime-type")) return mime;
  if (run.has("mime-encoding")) return charset;
  return run.has("mime") ? `${mime}; charset=${charset}` : text;
}

const BINARY = "binary";

async function describe(run: Run, name: string): Promise<Description> {
  const { sys } = run;
  try {
    if (name === "-") return await describeContent(run, 0, undefined);
    const stat = await (run.has("dereference") ? sys.stat(name) : sys.lstat(name));
    const special = await describeSpecial(run, name, stat);
    if (special !== undefined) return special;
    if (stat.size === 0 && stat.kind === "file")
      return { text: "empty", mime: "inode/x-empty", charset: BINARY };
    let found: Description | undefined;
    await run.withInput(name, async (fd) => {
      found = await describeContent(run, fd, stat);
    });
    return found ?? { text: "data", mime: "application/octet-stream", charset: BINARY };
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const words = errorWords(error);
    if (words === "Permission denied")
      return { text: "regular file, no read permission", mime: "", charset: BINARY };
    return { text: `cannot open \`${name}' (${words})`, mime: "", charset: BINARY };
  }
}

async function describeSpecial(
  run: Run,
  name: string,
  stat: Stat,
): Promise<Description | undefined> {
  switch (stat.kind) {
    case "directory":
      return { text: "directory", mime: "inode/directory", charset: BINARY };
    case "symlink": {
      const target = await run.sys.readlink(name);
      const text = (await isThere(run, name)) ? "symbolic link to" : "broken symbolic link to";
      return { text: `${text} ${target}`, mime: "inode/symlink", charset: BINARY };
    }
    case "fifo":
      return { text: "fifo (named pipe)", mime: "inode/fifo", charset: BINARY };
    case "socket":
      return { text: "socket", mime: "inode/socket", charset: BINARY };
    case "file":
      return undefined;
    case "anonymous":
      return { text: `invalid mode 0${stat.mode.toString(8)}`, mime: "", charset: BINARY };
    case "device": {
      const numbers = `(${stat.rdev >> 8}/${stat.rdev & 0xff})`;
      return { text: `character special ${numbers}`, mime: "inode/chardevice", charset: BINARY };
    }
  }
}

async function isThere(run: Run, name: string): Promise<boolean> {
  try {
    await run.sys.stat(name);
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

async function describeContent(run: Run, fd: number, stat: Stat | undefined): Promise<Description> {
  const bytes = await readHead(run, fd);
  const data = { text: "data", mime: "application/octet-stream", charset: BINARY };
  if (bytes.length === 0) return { text: "empty", mime: "inode/x-empty", charset: BINARY };
  if (bytes.length === 1) return { ...data, text: "very short file (no magic)" };
  const magic = findMagic(bytes);
  const isWhole = stat === undefined || bytes.length >= stat.size;
  const text = describeText(bytes, isWhole);
  if (magic !== undefined) return { ...magic, charset: text?.charset ?? BINARY };
  return text ?? data;
}

async function readHead(run: Run, fd: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(HEAD_BYTES);
  let length = 0;
  while (length < buffer.length) {
    const count = await run.sys.read(fd, buffer.subarray(length));
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}
