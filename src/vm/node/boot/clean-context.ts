// A new context of `vm` comes from the snapshot, too, and holds all that Node's bootstrap gave the
// first one. This takes it away again: what is left is what the language itself has.

const ours = ["__library", "__compiled", "__privateSymbol"];
/** What V8 adds to a context only after it is deserialised. */
const late = [
  "AsyncDisposableStack",
  "DisposableStack",
  "SharedArrayBuffer",
  "SuppressedError",
  "Temporal",
  "WebAssembly",
];
/** The language's own globals, as they are before the bootstrap. */
const pristine = new Set<string | symbol>([
  ...Reflect.ownKeys(globalThis).filter((key) => !ours.includes(String(key))),
  ...late,
]);

/** Called with the global object of each new context. */
export function cleanContext(global: object): void {
  for (const key of Reflect.ownKeys(global)) {
    if (!pristine.has(key)) Reflect.deleteProperty(global, key);
  }
}
