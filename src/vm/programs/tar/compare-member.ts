/** `tar -d`: a member against the file of its name. */
import { isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { ByteReader, readStream } from "../archive/byte-reader.ts";
import { errorWords, type Run } from "../program.ts";
import type { MemberReader } from "./read-members.ts";
import type { Member } from "./tar-header.ts";
import type { TarReport } from "./tar-report.ts";

const kinds = new Map([
  ["0", "file"],
  ["1", "file"],
  ["2", "symlink"],
  ["5", "directory"],
  ["6", "fifo"],
]);

/** Says what differs; the status is then 1. */
export async function compareMember(
  run: Run,
  report: TarReport,
  member: Member,
  reader: MemberReader,
): Promise<void> {
  const path = member.name.replace(/(.)\/+$/s, "$1");
  const say = (what: string): void => {
    run.out.addText(`${member.name}: ${what}\n`);
    run.status = Math.max(run.status, 1);
  };
  try {
    const stat = await run.sys.lstat(path);
    if (stat.kind !== kinds.get(member.type)) return say("File type differs");
    if (member.type === "1") return;
    if (stat.mode !== member.mode && member.type !== "2") say("Mode differs");
    if (stat.uid !== member.uid) say("Uid differs");
    if (stat.gid !== member.gid) say("Gid differs");
    if (member.type === "2") {
      if ((await run.sys.readlink(path)) !== member.linkName) say("Symlink differs");
      return;
    }
    if (Math.floor(stat.mtimeMs / 1000) * 1000 !== member.mtimeMs && member.type === "0")
      say("Mod time differs");
    if (member.type !== "0") return;
    if (stat.size !== member.size) return say("Size differs");
    if (!(await isSame(run, path, reader))) say("Contents differ");
  } catch (error) {
    if (!isKernelError(error)) throw error;
    run.status = Math.max(run.status, 1);
    await report.warn(`${member.name}: Warning: Cannot stat: ${errorWords(error)}`);
  }
}

async function isSame(run: Run, path: string, reader: MemberReader): Promise<boolean> {
  const fd = await run.sys.open(path, O_RDONLY | O_CLOEXEC);
  try {
    const file = new ByteReader(readStream(run.sys, fd));
    for await (const piece of reader.data()) {
      const other = await file.take(piece.length);
      if (piece.some((byte, at) => byte !== other[at])) return false;
    }
    return true;
  } finally {
    await run.sys.close(fd);
  }
}
