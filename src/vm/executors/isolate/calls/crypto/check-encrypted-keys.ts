// Keys under a passphrase: they say themselves how often their passphrase is digested, and that is done on the kernel's
// own thread. A key that would stop the VM is refused.
import { KernelError } from "../../../../../kernel/index.ts";

/** Rounds of a digest. */
const ROUND_LIMIT = 5_000_000;
/** Blocks that scrypt mixes. */
const MIX_LIMIT = 2 ** 23;
/** 1.3.6.1.4.1.11591.4.11 */
const scrypt = Buffer.from("2b06010401da47040b", "hex");

const tag = { integer: 0x02, sequence: 0x30 } as const;
const DEPTH_LIMIT = 16;

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** PKCS #8 as bytes, or as text with other things around it. */
export function checkEncryptedKey(data: Uint8Array | ArrayBuffer, isText: boolean): void {
  const bytes = Buffer.from(new Uint8Array(data));
  if (!isText) return checkOne(bytes);
  const blocks = bytes.toString("latin1").matchAll(/-----BEGIN ENCRYPTED PRIVATE KEY-----([^-]*)/g);
  for (const [, base64 = ""] of blocks) checkOne(Buffer.from(base64, "base64"));
}

/** SEQUENCE { how it is encrypted, the bytes }. One that is not encrypted begins with its version. */
function checkOne(bytes: Buffer): void {
  const [whole] = elementsOf(bytes);
  const [method] = whole === undefined ? [] : elementsOf(whole.content);
  if (method?.tag !== tag.sequence) return;
  const [first = 0, second = 1, third = 1] = integersIn(method.content);
  const isScrypt = method.content.includes(scrypt);
  if (isScrypt ? first * second * third > MIX_LIMIT : first > ROUND_LIMIT)
    throw new KernelError("E2BIG", "rounds of a passphrase");
}

function integersIn(bytes: Buffer, depth = 0): number[] {
  if (depth > DEPTH_LIMIT) refuse();
  return elementsOf(bytes).flatMap((element) => {
    if (element.tag === tag.sequence) return integersIn(element.content, depth + 1);
    if (element.tag !== tag.integer) return [];
    return [Number(`0x0${element.content.toString("hex")}`)];
  });
}

function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at + 1 < bytes.length; ) {
    const short = bytes[at + 1] ?? 0;
    const more = short > 0x7f ? short - 0x80 : 0;
    // A length that is not given is found by its end only; no key is written so.
    if (short === 0x80 || more > 4 || at + 2 + more > bytes.length) refuse();
    const length = more === 0 ? short : bytes.readUIntBE(at + 2, more);
    const start = at + 2 + more;
    elements.push({ tag: bytes[at] ?? 0, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

function refuse(): never {
  throw new KernelError("EINVAL", "the key's encoding");
}
