import { ShellError } from "./shell-error.ts";

/** Characters of one word or one value: a shell holds several beside the kernel. */
export const WORD_LIMIT = 32 * 1024 * 1024;

/** Words that one word splits into. */
const FIELDS_LIMIT = 1_000_000;

/** Fails as bash does where there is no memory: the shell ends, status 2. */
export function requireWordRoom(length: number): void {
  if (length > WORD_LIMIT)
    throw new ShellError(`xrealloc: cannot allocate ${length} bytes`, "shell", 2);
}

export function requireFieldRoom(count: number): void {
  if (count > FIELDS_LIMIT)
    throw new ShellError(`xrealloc: cannot allocate ${count} words`, "shell", 2);
}

/** Twice the room, for bytes that become a word. */
export function growBytes(buffer: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  requireWordRoom(needed);
  const larger = new Uint8Array(Math.max(needed, buffer.length * 2));
  larger.set(buffer);
  return larger;
}
