// What a file's first bytes say about it.

/** The images that models see; their types by what files begin with. */
const images: readonly (readonly [string, (start: Buffer) => boolean])[] = [
  ["image/png", (start) => start.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))],
  ["image/jpeg", (start) => start.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))],
  ["image/gif", (start) => /^GIF8[79]a$/.test(start.toString("latin1", 0, 6))],
  ["image/webp", (start) => /^RIFF[^]{4}WEBP$/.test(start.toString("latin1", 0, 12))],
];

/** As git and grep have it: text holds no NUL near its start. */
const nulSearchBytes = 8000;

export type FileKind = { readonly image: string } | "binary" | "text";

export function kindOf(bytes: Uint8Array): FileKind {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const image = images.find(([, matches]) => matches(start));
  if (image !== undefined) return { image: image[0] };
  return start.subarray(0, nulSearchBytes).includes(0) ? "binary" : "text";
}
