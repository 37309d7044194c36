// A new context of `vm` comes from the snapshot, too, and holds all that Node's bootstrap gave the
// first one. This takes it away again: what is left is what the language itself has.

const ours = ["__library", "__compiled", "__privateSymbol"];
/** The language's own globals, as they are before the bootstrap. */
const pristine = new Set(Reflect.ownKeys(globalThis).filter((key) => !ours.includes(String(key))));

/** Called with the global object of each new context. */
export function cleanContext(global: object): void {
  for (const key of Reflect.ownKeys(global)) {
    if (!pristine.has(key)) Reflect.deleteProperty(global, key);
  }
}
