// Puts a report between its marks in docs/token-bench.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const docsFile = fileURLToPath(new URL("../../docs/token-bench.md", import.meta.url));

export type DocsPart = "repository" | "published" | "structured";

export function updateDocs(part: DocsPart, report: string): void {
  writeFileSync(docsFile, replacePart(readFileSync(docsFile, "utf8"), part, report));
}

/** Throws where the document has no such marks. */
export function replacePart(text: string, part: DocsPart, report: string): string {
  const start = `<!-- bench:tokens ${part} -->`;
  const end = `<!-- /bench:tokens ${part} -->`;
  const [before, rest] = [text.indexOf(start), text.indexOf(end)];
  if (before < 0 || rest < before) throw new Error(`The document has no place for ${part}.`);
  return `${text.slice(0, before)}${start}\n\n${report}\n\n${text.slice(rest)}`;
}
