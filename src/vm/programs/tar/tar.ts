import { encodeText, isKernelError, type Program } from "../../../kernel/index.ts";
import { FormatError } from "../archive/gzip-format.ts";
import { UsageError } from "../options.ts";
import { Output, writeAll } from "../output.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { compareMember } from "./compare-member.ts";
import { ArchiveMaker } from "./create-archive.ts";
import { deleteMembers } from "./delete-members.ts";
import { MemberExtraction } from "./extract-members.ts";
import { unsafePrefix } from "./member-names.ts";
import { compressorFailure, openArchive, readArchive, writeArchive } from "./open-archive.ts";
import { ArchiveError, MemberReader } from "./read-members.ts";
import { MemberSelection } from "./select-members.ts";
import { readSettings, type TarSettings } from "./settings.ts";
import type { Member } from "./tar-header.ts";
import { TarReport } from "./tar-report.ts";
import { tarTable } from "./tar-table.ts";
import { updateArchive } from "./update-archive.ts";

const FAILURE = 2;

const program = defineProgram(tarTable, async (run) => {
  let settings: TarSettings | undefined;
  try {
    settings = await readSettings(run);
    await runOperation(run, settings);
  } catch (error) {
    await sayFailure(run, settings, error);
  }
  return run.status;
});

/** Words such as `czf` before anything else are options without their dash. */
export const main: Program = async (sys, argv) => {
  const [name = "tar", first = "", ...rest] = argv;
  const given = (await sys.environ()).get("TAR_OPTIONS")?.split(/\s+/) ?? [];
  const always = given.filter((word) => word !== "");
  if (first === "" || first.startsWith("-"))
    return program(sys, [name, ...always, ...argv.slice(1)]);
  const words: string[] = [];
  for (const letter of first) {
    const row = tarTable.options.find((one) => one.short === letter);
    words.push(`-${letter}`);
    if (row?.value === undefined || row.isOptional === true) continue;
    const value = rest.shift();
    if (value === undefined) {
      const hint = tarTable.hint?.(name) ?? "";
      const message = `${name}: Old option '${letter}' requires an argument.\n${hint}`;
      await writeAll(sys, 2, encodeText(message));
      return FAILURE;
    }
    words.push(value);
  }
  return program(sys, [name, ...always, ...words, ...rest]);
};

async function runOperation(run: Run, settings: TarSettings): Promise<void> {
  const { operation } = settings;
  if (operation === "create") await create(run, settings);
  else if (operation === "append" || operation === "update" || operation === "catenate")
    await updateArchive(run, settings);
  else if (operation === "delete") await deleteMembers(run, settings);
  else await read(run, settings);
  if (run.status === FAILURE) await run.warn("Exiting with failure status due to previous errors");
}

async function sayFailure(
  run: Run,
  settings: TarSettings | undefined,
  error: unknown,
): Promise<void> {
  await run.out.flush();
  if (error instanceof UsageError)
    throw new UsageError(error.message, { status: FAILURE, hasHint: error.hasHint });
  run.status = FAILURE;
  if (error instanceof FormatError) {
    const kind =
      settings === undefined || settings.compression === "none" ? "gzip" : settings.compression;
    await writeAll(run.sys, 2, encodeText(compressorFailure(kind, error.message)));
    const isCut = /end/i.test(error.message);
    const status = kind === "bzip2" ? 2 : 1;
    await run.warn(isCut ? "Unexpected EOF in archive" : `Child returned status ${status}`);
    await run.warn("Error is not recoverable: exiting now");
    return;
  }
  if (error instanceof ArchiveError) {
    if (error.message !== "") await run.warn(error.message);
    await run.warn(
      error.isFatal
        ? "Error is not recoverable: exiting now"
        : "Exiting with failure status due to previous errors",
    );
    return;
  }
  if (!isKernelError(error)) throw error;
  if (error.errno === "EISDIR") {
    await run.warn(`${settings?.file}: Cannot read: ${errorWords(error)}`);
    await run.warn("At beginning of tape, quitting now");
    await run.warn("Error is not recoverable: exiting now");
    return;
  }
  await run.warn(`${error.subject ?? settings?.file ?? "archive"}: ${errorWords(error)}`);
}

async function create(run: Run, settings: TarSettings): Promise<void> {
  if (!settings.steps.some(({ name }) => name !== undefined) && !run.has("files-from"))
    throw new UsageError("Cowardly refusing to create an empty archive");
  const fd = await openArchive(run.sys, settings.file, true);
  const report = new TarReport(run, { ...settings, toError: settings.file === "-" });
  const archive = await run.sys.fstat(fd);
  const maker = new ArchiveMaker({ run, settings, report, archive, start: 0 });
  await writeArchive(run.sys, fd, maker.blocks(), settings.compression);
  await report.flush();
  if (fd !== 1) await run.sys.close(fd);
  if (run.has("totals")) await sayTotals(run, maker.written);
}

async function sayTotals(run: Run, bytes: number): Promise<void> {
  const units = ["", "KiB", "MiB", "GiB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < 3; unit++) value /= 1024;
  const shown = unit === 0 ? String(bytes) : `${Number(value.toPrecision(2))}${units[unit]}`;
  const output = new Output(run.sys, 2);
  output.addText(`Total bytes written: ${bytes} (${shown}, ?/s)\n`);
  await output.flush();
}

async function read(run: Run, settings: TarSettings): Promise<void> {
  const fd = await openArchive(run.sys, settings.file, false);
  const isListing = settings.operation === "list";
  const report = new TarReport(run, {
    verbosity: settings.verbosity + (isListing ? 1 : 0),
    toError: !isListing && run.has("to-stdout"),
  });
  const selection = new MemberSelection(run, settings.steps);
  const extraction = new MemberExtraction(run, settings, report);
  const reader = new MemberReader(
    await readArchive(run.sys, fd, settings.compression),
    (message) => report.fail(message),
    run.has("ignore-zeros"),
  );
  await selection.start();
  await extraction.start();
  try {
    for (let next = await reader.next(); next !== undefined; next = await reader.next()) {
      const { member } = next;
      if (!(await selection.selects(member.name)) || settings.isExcluded(member.name)) continue;
      if (settings.operation === "extract") await extraction.extract(member, reader);
      else if (settings.operation === "diff") {
        report.list(member);
        await compareMember(run, report, member, reader);
      } else await listMember(settings, report, member);
      await report.flushIfFull();
      if (run.has("occurrence") && selection.isComplete) break;
    }
  } finally {
    await extraction.finish();
    await report.flush();
  }
  for (const name of selection.missing()) await report.fail(`${name}: Not found in archive`);
  if (fd !== 0) await run.sys.close(fd);
}

async function listMember(settings: TarSettings, report: TarReport, member: Member): Promise<void> {
  const prefix = settings.isAbsolute ? "" : unsafePrefix(member.name);
  if (prefix !== "") await report.removing(prefix, "member names");
  report.list(member, settings.showsChanged ? settings.change(member.name, "member") : member.name);
}
