// What the starter tells a cell about its jail: one JSON argument, the first on its command line.
import { isLayerName, type LayerName } from "./layer.ts";

export interface JailOptions {
  /** The process that started it, 0 where that is in another pid namespace; a cell with another parent ends at once. */
  readonly parentPid: number;
  /** Whether native addons are no longer needed once the jail stands. */
  readonly dropAddons: boolean;
  /** Layers to leave out, for tests that show what a layer stops. */
  readonly without: readonly LayerName[];
}

/** Reads the options from `process.argv`, where the starter puts them first. Throws on anything else. */
export function readJailOptions(argv: readonly string[]): JailOptions {
  const text = argv[2];
  if (text === undefined) throw new Error("a cell is started by the server, not by hand");
  const value: unknown = JSON.parse(text);
  if (!isJailOptions(value)) throw new Error("the jail's options are not understood");
  return value;
}

function isJailOptions(value: unknown): value is JailOptions {
  if (typeof value !== "object" || value === null) return false;
  if (!("parentPid" in value && "dropAddons" in value && "without" in value)) return false;
  if (typeof value.parentPid !== "number" || typeof value.dropAddons !== "boolean") return false;
  return Array.isArray(value.without) && value.without.every(isLayerName);
}
