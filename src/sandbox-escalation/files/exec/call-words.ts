// Numbers of a call as the script in the sandbox takes them.

/** Set-id bits mean nothing to a VM. */
export const FILE_MODE = 0o1777;

/** The largest block that the offset is a multiple of: dd seeks by blocks. */
export function blockFor(offset: number | "end"): number {
  let block = 65_536;
  if (offset === "end") return block;
  while (offset % block !== 0) block /= 2;
  return block;
}

export function modeOf(mode: number, kind: string): string {
  return (mode & (kind === "directory" ? 0o7777 : FILE_MODE)).toString(8).padStart(4, "0");
}

/** What a shell makes a file of that mode with, and whether that is all it takes: it makes none that runs. */
export function umaskFor(mode: number): readonly [string, string] {
  return [(0o666 & ~mode).toString(8).padStart(4, "0"), (mode & ~0o666) === 0 ? "plain" : "more"];
}

export function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(6);
}
