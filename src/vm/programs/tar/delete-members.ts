/** `tar --delete`: what stays moves to the front of the archive. */
import { isKernelError, O_CLOEXEC, O_RDWR, SEEK_SET, type Sys } from "../../../kernel/index.ts";
import { ByteReader, readStream } from "../archive/byte-reader.ts";
import { writeAll } from "../output.ts";
import { errorWords, type Run } from "../program.ts";
import { RECORD_BYTES } from "./create-archive.ts";
import { ArchiveError, MemberReader } from "./read-members.ts";
import { MemberSelection } from "./select-members.ts";
import type { TarSettings } from "./settings.ts";
import { BLOCK_BYTES } from "./tar-header.ts";
import { TarReport } from "./tar-report.ts";

const COPY_BYTES = 65_536;

interface Part {
  readonly start: number;
  readonly isKept: boolean;
}

export async function deleteMembers(run: Run, settings: TarSettings): Promise<void> {
  if (settings.compression !== "none") throw new ArchiveError("Cannot update compressed archives");
  const { sys } = run;
  const fd = await openWhole(run, settings.file);
  const report = new TarReport(run, { ...settings, toError: false });
  const selection = new MemberSelection(run, settings.steps);
  try {
    await selection.start();
    const reader = new MemberReader(new ByteReader(readStream(sys, fd)), (message) =>
      report.fail(message),
    );
    const parts: Part[] = [];
    for (let next = await reader.next(); next !== undefined; next = await reader.next())
      parts.push({ start: next.position, isKept: !(await selection.selects(next.member.name)) });
    await compact(sys, fd, [...parts, { start: reader.end, isKept: false }]);
  } finally {
    await sys.close(fd);
  }
  for (const name of selection.missing()) await report.fail(`${name}: Not found in archive`);
}

async function openWhole(run: Run, file: string): Promise<number> {
  try {
    return await run.sys.open(file, O_RDWR | O_CLOEXEC);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new ArchiveError(`${file}: Cannot open: ${errorWords(error)}`);
  }
}

async function compact(sys: Sys, fd: number, parts: readonly Part[]): Promise<void> {
  let end = 0;
  for (const [at, { start, isKept }] of parts.entries()) {
    const next = parts[at + 1]?.start ?? start;
    if (!isKept) continue;
    if (start !== end) await move(sys, fd, { from: start, to: end, length: next - start });
    end += next - start;
  }
  const whole = Math.ceil((end + 2 * BLOCK_BYTES) / RECORD_BYTES) * RECORD_BYTES;
  await sys.ftruncate(fd, end);
  await sys.ftruncate(fd, whole);
}

async function move(
  sys: Sys,
  fd: number,
  { from, to, length }: { readonly from: number; readonly to: number; readonly length: number },
): Promise<void> {
  const buffer = new Uint8Array(COPY_BYTES);
  for (let done = 0; done < length; ) {
    await sys.seek(fd, from + done, SEEK_SET);
    const count = await sys.read(fd, buffer.subarray(0, Math.min(COPY_BYTES, length - done)));
    if (count === 0) break;
    await sys.seek(fd, to + done, SEEK_SET);
    await writeAll(sys, fd, buffer.subarray(0, count));
    done += count;
  }
}
