/** `tar -r`, `-u` and `-A`: members added behind those that are there. */
import { isKernelError, O_CLOEXEC, O_CREAT, O_RDWR, SEEK_SET } from "../../../kernel/index.ts";
import { ByteReader, readStream } from "../archive/byte-reader.ts";
import { UsageError } from "../options.ts";
import { writeAll } from "../output.ts";
import { errorWords, type Run } from "../program.ts";
import { ArchiveMaker, RECORD_BYTES } from "./create-archive.ts";
import { openArchive, readArchive } from "./open-archive.ts";
import { ArchiveError, MemberReader } from "./read-members.ts";
import type { TarSettings } from "./settings.ts";
import { BLOCK_BYTES } from "./tar-header.ts";
import { TarReport } from "./tar-report.ts";

export async function updateArchive(run: Run, settings: TarSettings): Promise<void> {
  if (settings.compression !== "none") throw new ArchiveError("Cannot update compressed archives");
  const { sys } = run;
  const fd = await openForUpdate(run, settings.file);
  const report = new TarReport(run, { ...settings, toError: false });
  try {
    const { end, known } = await findEnd(run, fd, report);
    await sys.seek(fd, end, SEEK_SET);
    if (settings.operation === "catenate") await concatenate(run, settings, fd, end);
    else {
      const archive = await sys.fstat(fd);
      const isUpdate = settings.operation === "update";
      const maker = new ArchiveMaker({
        run,
        settings,
        report,
        archive,
        start: end,
        ...(isUpdate ? { known } : {}),
      });
      for await (const block of maker.blocks()) await writeAll(sys, fd, block);
      await sys.ftruncate(fd, maker.written);
    }
    await report.flush();
  } finally {
    await sys.close(fd);
  }
}

async function openForUpdate(run: Run, file: string): Promise<number> {
  if (file === "-") throw new UsageError("Options '-Aru' are incompatible with '-f -'");
  try {
    return await run.sys.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o666);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new ArchiveError(`${file}: Cannot open: ${errorWords(error)}`);
  }
}

/** Where the archive's zeros start, and the time of each member. */
async function findEnd(
  run: Run,
  fd: number,
  report: TarReport,
): Promise<{ readonly end: number; readonly known: ReadonlyMap<string, number> }> {
  const raw = new ByteReader(readStream(run.sys, fd));
  const known = new Map<string, number>();
  const start = await raw.peek(6);
  if (start.length === 0) return { end: 0, known };
  if ((start[0] === 0x1f && start[1] === 0x8b) || (start[0] === 0x42 && start[1] === 0x5a))
    throw new ArchiveError("Cannot update compressed archives");
  const reader = new MemberReader(raw, (message) => report.fail(message));
  for (let next = await reader.next(); next !== undefined; next = await reader.next())
    known.set(next.member.name.replace(/(.)\/+$/s, "$1"), next.member.mtimeMs);
  return { end: reader.end, known };
}

async function concatenate(
  run: Run,
  settings: TarSettings,
  fd: number,
  start: number,
): Promise<void> {
  const { sys } = run;
  let end = start;
  for (const { name } of settings.steps) {
    if (name === undefined) continue;
    const from = await openArchive(sys, name, false);
    const reader = new MemberReader(await readArchive(sys, from, "none"), (message) =>
      run.warn(message),
    );
    for (let next = await reader.next(); next !== undefined; ) next = await reader.next();
    await sys.seek(from, 0, SEEK_SET);
    const bytes = new ByteReader(readStream(sys, from));
    for (let left = reader.end; left > 0; ) {
      const piece = await bytes.some(left);
      if (piece.length === 0) break;
      await writeAll(sys, fd, piece);
      left -= piece.length;
    }
    end += reader.end;
    await sys.close(from);
  }
  const whole = Math.ceil((end + 2 * BLOCK_BYTES) / RECORD_BYTES) * RECORD_BYTES;
  await writeAll(sys, fd, new Uint8Array(whole - end));
}
