import type { OpenFile } from "./open-file.ts";

/**
 * Keeps a file open while a call uses it, even if its last descriptor is closed during the call.
 *
 * Call it before the first await: a kill in between releases the file, and it cannot be held again.
 */
export async function holding<T>(file: OpenFile, step: () => Promise<T>): Promise<T> {
  file.retain();
  try {
    return await step();
  } finally {
    file.drop();
  }
}
