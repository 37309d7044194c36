// The sources of those of Node's builtins that are not a part of the snapshot.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export class Builtins {
  readonly #file: string;
  #sources: ReadonlyMap<string, string> | undefined;

  constructor(directory: string) {
    this.#file = join(directory, "builtins.json");
  }

  find(id: string): string | undefined {
    this.#sources ??= new Map(Object.entries(JSON.parse(readFileSync(this.#file, "utf8"))));
    return this.#sources.get(id);
  }
}
