// What only V8's own interface can do, from native/guest-binding. Nothing of it is there while the
// snapshot is made, so the library reaches it through this one object, which `start` fills.
import { snapshotNative } from "./snapshot-native.ts";

/** The functions of native/guest-binding; see its README for each. */
export const native: Record<string, any> = Object.assign(Object.create(null), snapshotNative);

/** Puts the real functions in place; done once, before any guest code runs. */
export function setNative(functions: object): void {
  Object.assign(native, functions);
}

/** Text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return native["encoding"].encodeUtf8String(text);
}
