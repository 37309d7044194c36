// Bytes for clients: base64 in parts, and images whole.
import type { CallToolResult } from "@modelcontextprotocol/server";

export interface ByteSource {
  readonly name: string;
  readonly sizeBytes: number;
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
}

export interface ByteWish {
  readonly offset: number;
  readonly limit: number | undefined;
  /** What the answer may take. */
  readonly limitBytes: number;
}

/** Claude's limit is 5 MB of base64. */
const imageLimitBytes = 3_750_000;

export async function presentBytes(source: ByteSource, wish: ByteWish): Promise<CallToolResult> {
  const { offset, limit = Number.MAX_SAFE_INTEGER, limitBytes } = wish;
  // Base64 takes four characters for three bytes; parts of whole triples can be put together.
  const most = Math.floor(limitBytes / 4) * 3;
  const bytes = await source.read(offset, Math.min(limit, most));
  const end = offset + bytes.length;
  const content: CallToolResult["content"] = [
    { type: "text", text: Buffer.from(bytes).toString("base64") },
  ];
  if (end < source.sizeBytes) {
    const text = `[Bytes ${offset} to ${end - 1} of ${source.sizeBytes}; continue with offset ${end}.]`;
    content.push({ type: "text", text });
  } else if (bytes.length === 0) {
    content.push({ type: "text", text: `[${source.name} ends at byte ${source.sizeBytes}.]` });
  }
  return { content };
}

export async function presentImage(source: ByteSource, mimeType: string): Promise<CallToolResult> {
  const { name, sizeBytes } = source;
  if (sizeBytes > imageLimitBytes) {
    const text = `[${name} is an image (${mimeType}) of ${sizeBytes} bytes; at most ${imageLimitBytes} can be shown. Read it with encoding base64.]`;
    return { content: [{ type: "text", text }] };
  }
  const bytes = await source.read(0, sizeBytes);
  return { content: [{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType }] };
}
