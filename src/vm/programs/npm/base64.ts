const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** For checksums: a few dozen bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const group = (a << 16) | (b << 8) | c;
    const left = bytes.length - at;
    text += LETTERS[(group >> 18) & 63];
    text += LETTERS[(group >> 12) & 63];
    text += left > 1 ? LETTERS[(group >> 6) & 63] : "=";
    text += left > 2 ? LETTERS[group & 63] : "=";
  }
  return text;
}
