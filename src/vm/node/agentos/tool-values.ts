/** What a tool's value is in JavaScript: data, a string, or a Buffer. */
export function valueOf(value: any, Buffer: any): unknown {
  switch (value.kind) {
    case "json":
      return value.json;
    case "bytes":
      return Buffer.from(value.base64, "base64");
    default:
      return value.text;
  }
}

/** A result that came whole; of one that was streamed, text and bytes joined, other values in a list. */
export function resultOf({ value }: any, chunks: readonly unknown[], Buffer: any): unknown {
  if (value !== undefined && chunks.length === 0) return valueOf(value, Buffer);
  const all = value === undefined ? chunks : [...chunks, valueOf(value, Buffer)];
  if (all.length === 0) return undefined;
  if (all.every((one) => typeof one === "string")) return all.join("");
  return all.every((one) => Buffer.isBuffer(one)) ? Buffer.concat(all) : all;
}
