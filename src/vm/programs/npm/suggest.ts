/** "Did you mean": commands, scripts and bins close to a word. */
import { descriptions } from "./command-names.ts";
import type { JsonObject } from "./json.ts";
import { packageBins, packageScripts } from "./manifest.ts";

/** Longer words are close to nothing. */
const LENGTH_LIMIT = 64;
const SHOWN = 3;
const scriptCommands = new Set(["stop", "start", "test", "restart"]);

/** Empty, or the words behind a message. */
export function suggest(word: string, manifest: JsonObject = {}): string {
  const isClose = (one: string): boolean => distance(word, one) < word.length * 0.4;
  const best = [
    ...[...descriptions]
      .filter(([name]) => isClose(name) && name !== word)
      .map(([name, description]) => `  npm ${name} # ${description}`),
    ...[...packageScripts(manifest).keys()]
      .filter((name) => isClose(name) && !scriptCommands.has(name))
      .map((name) => `  npm run ${name} # run the "${name}" package script`),
    ...[...packageBins(manifest).keys()]
      .filter(isClose)
      .map(
        (name) =>
          `  npm exec ${name} # run the "${name}" command from either this or a remote npm package`,
      ),
  ];
  if (best.length === 0) return "";
  const which = best.length === 1 ? "this" : "one of these";
  return `\n\nDid you mean ${which}?\n${best.slice(0, SHOWN).join("\n")}`;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  if (Math.max(a.length, b.length) > LENGTH_LIMIT) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
