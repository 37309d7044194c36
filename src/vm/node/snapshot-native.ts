// Stands in for the few functions of native/guest-binding that Node's bootstrap calls while the
// snapshot is made; `setNative` puts the real ones in their place.
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Enough for values that Node's own library makes. */
const types = new Proxy(
  {},
  {
    get: (_, name) => (value: unknown) => `is${tagOf(value)}` === name,
  },
);

/** ASCII is all that the bootstrap makes buffers of. */
function writeAscii(into: Uint8Array, text: string, offset = 0): number {
  for (let index = 0; index < text.length; index += 1)
    into[offset + index] = text.charCodeAt(index);
  return text.length;
}

export const snapshotNative = {
  types,
  buffer: {
    utf8WriteStatic: writeAscii,
    byteLengthUtf8: (text: string) => text.length,
  },
  getContinuationPreservedEmbedderData: () => undefined,
  setContinuationPreservedEmbedderData: () => undefined,
  runMicrotasks: () => undefined,
};
