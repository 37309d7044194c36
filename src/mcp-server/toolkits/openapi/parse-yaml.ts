// YAML of a document. Large ones are parsed on a thread of their own: a megabyte takes most of a second.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { parseDocument } from "yaml";

const OWN_THREAD_CHARACTERS = 64 * 1024;
const LIMIT_MS = 60_000;
const MEMORY_MB = 1024;

/**
 * The JSON that says the same. Throws with the words of the first mistake, and where an alias stands
 * within its own anchor: what comes of it is a tree.
 */
export function yamlToJson(text: string): string {
  const parsed = parseDocument(text, { logLevel: "silent" });
  const problem = parsed.errors[0];
  if (problem !== undefined) throw problem;
  // More uses of one anchor are an attempt to fill the memory.
  return JSON.stringify(parsed.toJS({ maxAliasCount: 1000 }));
}

/** A large document is parsed while the server goes on. */
export async function parseYaml(text: string): Promise<unknown> {
  return JSON.parse(
    text.length < OWN_THREAD_CHARACTERS ? yamlToJson(text) : await parseAside(text),
  );
}

async function parseAside(text: string): Promise<string> {
  const entry = new URL(`./yaml-thread/main${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(entry, {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    reject(new Error(`it takes longer than ${LIMIT_MS / 1000} seconds`));
  }, LIMIT_MS);
  worker.on("message", (json: string) => resolve(json)).on("error", reject);
  worker.on("exit", () => reject(new Error("the thread that parses it ended")));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
