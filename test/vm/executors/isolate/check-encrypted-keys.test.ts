import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkEncryptedKey } from "../../../../src/vm/executors/isolate/calls/crypto/check-encrypted-keys.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const secret = { cipher: "aes-256-cbc", passphrase: "secret" } as const;
const der = privateKey.export({ type: "pkcs8", format: "der", ...secret });
const pem = privateKey.export({ type: "pkcs8", format: "pem", ...secret });

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : [tag, 0x81, length]), content]);
}

const integer = (hex: string): Buffer => element(0x02, Buffer.from(hex, "hex"));

/** A key that says how its passphrase is digested. */
function keyWith(oid: string, ...numbers: readonly string[]): Buffer {
  const salt = element(0x04, Buffer.alloc(8));
  const rounds = element(0x30, salt, ...numbers.map(integer));
  const digest = element(0x30, element(0x06, Buffer.from(oid, "hex")), rounds);
  const method = element(0x30, element(0x06, Buffer.from([42])), element(0x30, digest));
  return element(0x30, method, element(0x04, Buffer.alloc(16)));
}

const pbkdf2 = "2a864886f70d01050c";
const scrypt = "2b06010401da47040b";

function textOf(key: Uint8Array): Buffer {
  const label = "ENCRYPTED PRIVATE KEY-----";
  const base64 = Buffer.from(key).toString("base64");
  return Buffer.from(`x\n-----BEGIN ${label}\n${base64}\n-----END ${label}\n`);
}

describe("a key under a passphrase", () => {
  it("is taken as Node writes it, and where it is none", () => {
    checkEncryptedKey(der, false);
    checkEncryptedKey(Buffer.from(pem), true);
    checkEncryptedKey(privateKey.export({ type: "pkcs8", format: "der" }), false);
    checkEncryptedKey(new Uint8Array(), false);
    checkEncryptedKey(keyWith(pbkdf2, "0f4240", "20"), false);
    checkEncryptedKey(keyWith(scrypt, "4000", "08", "01"), false);
  });

  it("is refused when its passphrase would be digested for hours", () => {
    const keys = [
      keyWith(pbkdf2, "7fffffff"),
      keyWith(pbkdf2, "007fffffffffffffffffff"),
      keyWith(scrypt, "4000", "08", "010000"),
    ];
    for (const key of keys) {
      expect(() => checkEncryptedKey(key, false)).toThrow("E2BIG");
      expect(() => checkEncryptedKey(textOf(key), true)).toThrow("E2BIG");
    }
  });

  it("is refused when its lengths are left open", () => {
    const key = Buffer.from([0x30, 0x80, 0x30, 0x80, 0, 0, 0, 0]);
    expect(() => checkEncryptedKey(key, false)).toThrow("EINVAL");
  });
});
