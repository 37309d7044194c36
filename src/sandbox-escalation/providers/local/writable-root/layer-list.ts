// Which layers a sandbox or a snapshot is made of: a file of its directory.
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const LIST = "layers.json";

export async function writeLayers(directory: string, layers: readonly string[]): Promise<void> {
  const file = join(directory, LIST);
  await writeFile(`${file}.new`, JSON.stringify(layers), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Undefined where there is no list. */
export async function readLayers(directory: string): Promise<readonly string[] | undefined> {
  const text = await readFile(join(directory, LIST), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((layer) => typeof layer === "string") : [];
}

/** Of all that is in a directory. */
export async function listUsedLayers(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  const lists = await Promise.all(names.map((name) => readLayers(join(directory, name))));
  return lists.flatMap((list) => list ?? []);
}
