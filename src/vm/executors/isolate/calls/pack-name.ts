import { encodeText } from "../../../../kernel/index.ts";

/** A name for the guest: text, or its bytes where they are no UTF-8. */
export function packName(name: string): string | Uint8Array {
  return name.isWellFormed() ? name : encodeText(name);
}
