import { Blake2b } from "./blake2b.ts";
import type { Digest } from "./digest.ts";
import { Md5 } from "./md5.ts";
import { Sha1 } from "./sha1.ts";
import { Sha256 } from "./sha256.ts";
import { Sha512 } from "./sha512.ts";
import { Sm3 } from "./sm3.ts";

export interface Algorithm {
  /** What `cksum -a` calls it. */
  readonly name: string;
  /** What stands before the name of a file with `--tag`. */
  readonly tag: string;
  readonly bits: number;
  readonly make: (bits: number) => Digest;
  /** Shorter digests are other digests. */
  readonly hasLength: boolean;
}

const hasLength = false;

export const algorithms: readonly Algorithm[] = [
  { name: "md5", tag: "MD5", bits: 128, hasLength, make: () => new Md5() },
  { name: "sha1", tag: "SHA1", bits: 160, hasLength, make: () => new Sha1() },
  { name: "sha224", tag: "SHA224", bits: 224, hasLength, make: () => new Sha256(224) },
  { name: "sha256", tag: "SHA256", bits: 256, hasLength, make: () => new Sha256(256) },
  { name: "sha384", tag: "SHA384", bits: 384, hasLength, make: () => new Sha512(384) },
  { name: "sha512", tag: "SHA512", bits: 512, hasLength, make: () => new Sha512(512) },
  {
    name: "blake2b",
    tag: "BLAKE2b",
    bits: 512,
    hasLength: true,
    make: (bits) => new Blake2b(bits / 8),
  },
  { name: "sm3", tag: "SM3", bits: 256, hasLength, make: () => new Sm3() },
];

/** Of a program's name: `md5sum`, `b2sum`. */
export function algorithmOf(program: string): Algorithm | undefined {
  const name = program === "b2sum" ? "blake2b" : program.replace(/sum$/, "");
  return algorithms.find((one) => one.name === name);
}
