/** What Node's library has of its random source in one small module. */
interface RandomSource {
  randomFillSync(into: Uint8Array): void;
}

/** Fills bytes from the system's random source. A cell loads one small module of Node for it, not all of node:crypto. */
export function fillRandomly(into: Uint8Array): void {
  source ??= findSource();
  source.randomFillSync(into);
}

let source: RandomSource | undefined;

/** The module is there with --expose-internals, which cells have; tests do without. */
function findSource(): RandomSource {
  const own: unknown = process.getBuiltinModule("internal/crypto/random");
  return isSource(own) ? own : process.getBuiltinModule("node:crypto");
}

function isSource(value: unknown): value is RandomSource {
  return typeof value === "object" && value !== null && "randomFillSync" in value;
}
