// Ciphers, signatures: the kernel keeps their state, one call for each step.
import { adopt, ask, askMethod, remoteClass } from "./remote.ts";
import { dataOf } from "./text-encodings.ts";

const RemoteCipher = remoteClass("CipherBase", [
  "setAutoPadding",
  "getAuthTag",
  "setAuthTag",
  "setAAD",
  "final",
]);

export class CipherBase extends RemoteCipher {
  update(data: unknown, encoding?: unknown): Uint8Array {
    return askMethod(this, "update", dataOf(data, encoding));
  }
}

abstract class Signature {
  readonly #className: string;

  constructor(className: string) {
    this.#className = className;
  }

  init(algorithm: string): void {
    const [id] = ask("cryptoNew", this.#className, algorithm);
    adopt(this, id);
  }

  update(data: unknown, encoding?: unknown): void {
    askMethod(this, "update", dataOf(data, encoding));
  }
}

export class Sign extends Signature {
  constructor() {
    super("Sign");
  }

  sign(...args: unknown[]): Uint8Array {
    return askMethod(this, "sign", ...args);
  }
}

export class Verify extends Signature {
  constructor() {
    super("Verify");
  }

  verify(...args: unknown[]): boolean {
    return askMethod(this, "verify", ...args);
  }
}
