// Closes what the process that started this one left open in it. A server outlives its client: with the
// client's descriptors it would keep the client's locks, and hand them on to what it starts. Runs on Node 20.
import { closeSync, readdirSync, readFileSync } from "node:fs";

/**
 * Closes every descriptor above stderr that survived the start of this process and would survive the next.
 * Called first: nothing that Node or we opened is like that. Other systems than Linux do not pass them on.
 */
export function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of listDescriptors()) {
    const fd = Number(name);
    if (fd > STDERR && isInherited(fd)) closeSync(fd);
  }
}

/** Without /proc there is no list: the launcher of cells closes what it does not know. */
function listDescriptors(): string[] {
  try {
    return readdirSync("/proc/self/fd");
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/** Node opens everything close-on-exec; see proc_pid_fdinfo(5) for the flags, in octal. */
function isInherited(fd: number): boolean {
  let info: string;
  try {
    info = readFileSync(`/proc/self/fdinfo/${fd}`, "latin1");
  } catch (error) {
    // The descriptor of the listing itself is closed by now.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
  const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
}

const STDERR = 2;
/** fcntl.h; Node's constants have no such name. */
const O_CLOEXEC = 0o2000000;
