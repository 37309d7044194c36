import { decodeText, isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { parsePatch } from "./parse-patch.ts";
import { FilePatcher } from "./patch-file.ts";
import { patchTable } from "./patch-table.ts";
import { PatchFailure } from "./patched-files.ts";
import type { PatchSettings } from "./settings.ts";

const TROUBLE = 2;

export const main = defineProgram(patchTable, async (run) => {
  const settings = readSettings(run);
  try {
    return await runPatch(run, settings);
  } catch (error) {
    if (!(error instanceof PatchFailure)) throw error;
    await run.out.flush();
    await run.warn(`**** ${error.message}`);
    return TROUBLE;
  }
});

async function runPatch(run: Run, settings: PatchSettings): Promise<number> {
  const directory = run.options.get("directory");
  if (directory !== undefined) await enter(run, directory);
  const text = await readPatch(run, run.operands[1] ?? run.options.get("input") ?? "-");
  if (run.has("ed") || isEdScript(text))
    throw new PatchFailure("ed scripts are not supported; use a unified diff");
  const patches = parsePatch(text, run.has("binary"));
  if (patches.length === 0) {
    if (text === "") return 0;
    throw new PatchFailure("Only garbage was found in the patch input.");
  }
  const patcher = new FilePatcher(run, settings);
  let status = 0;
  for (const patch of patches) status = Math.max(status, await patcher.patchFile(patch));
  await patcher.finish();
  return status;
}

async function enter(run: Run, directory: string): Promise<void> {
  try {
    await run.sys.chdir(directory);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new PatchFailure(`Can't change to directory ${directory} : ${errorWords(error)}`);
  }
}

async function readPatch(run: Run, name: string): Promise<string> {
  if (name === "-") return decodeText(await readAllBytes(run.sys, 0));
  try {
    const fd = await run.sys.open(name, O_RDONLY | O_CLOEXEC);
    try {
      return decodeText(await readAllBytes(run.sys, fd));
    } finally {
      await run.sys.close(fd);
    }
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new PatchFailure(`Can't open patch file ${name} : ${errorWords(error)}`);
  }
}

// Deviation: patch applies no ed scripts; there is no ed in the VM.
function isEdScript(text: string): boolean {
  return /^\d+(?:,\d+)?[acd]\n/.test(text) && !/^\d+(?:,\d+)?[acd]\d/.test(text);
}

function readSettings(run: Run): PatchSettings {
  const [file, , extra] = run.operands;
  if (extra !== undefined) throw new UsageError(`${extra}: extra operand`);
  const number = (option: string, what: string): number | undefined => {
    const text = run.options.get(option);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text)) throw new PatchFailureUsage(`**** ${what} ${text} is not a number`);
    return Number(text);
  };
  const suffix = run.options.get("suffix");
  const prefix = run.options.get("prefix");
  const version = run.options.get("version-control");
  return {
    file,
    strip: number("strip", "strip count"),
    maxFuzz: number("fuzz", "fuzz factor") ?? 2,
    isReversed: run.has("reverse"),
    output: run.options.get("output"),
    rejectFile: run.options.get("reject-file"),
    skipsApplied: run.has("forward"),
    isForced: run.has("force"),
    isBatch: run.has("batch"),
    isDry: run.has("dry-run"),
    isSilent: run.has("quiet") || run.has("silent"),
    removesEmpty: run.has("remove-empty-files"),
    ignoresSpace: run.has("ignore-whitespace"),
    backup: {
      isAlways: run.has("backup") || version !== undefined,
      onMismatch: !run.has("no-backup-if-mismatch") && !run.has("posix"),
      isNumbered: version === "numbered" || version === "t",
      prefix: prefix ?? "",
      suffix: suffix ?? (prefix === undefined ? ".orig" : ""),
    },
  };
}

class PatchFailureUsage extends UsageError {
  constructor(message: string) {
    super(message, { hasHint: false });
  }
}
