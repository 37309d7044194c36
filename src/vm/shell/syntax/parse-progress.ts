/** Lists in a text that grows line by line, so that each line is read once. */
import type { CaseItem, Statement } from "./ast.ts";
import type { Parser } from "./parser.ts";

/** A list, and how much of it nothing that follows can change. */
export interface ReadList<T> {
  readonly items: T[];
  count: number;
  at: number;
}

/** How far the lists of one text have been read, by where they begin. */
export interface ParseProgress {
  readonly statements: Map<number, ReadList<Statement>>;
  readonly caseItems: Map<number, ReadList<CaseItem>>;
}

/** The list that begins here. Where it was begun before, the scanner is behind what was read of it. */
export function beginList<T>(
  { scanner, documents }: Parser,
  known: Map<number, ReadList<T>> | undefined,
): ReadList<T> {
  const begin = scanner.at;
  const list = known?.get(begin) ?? { items: [], count: 0, at: begin };
  if (known === undefined || documents.hasPending) return { items: [], count: 0, at: begin };
  list.items.length = list.count;
  scanner.at = list.at;
  known.set(begin, list);
  return list;
}

/** Notes that the list is read up to here. */
export function noteRead<T>({ scanner, documents }: Parser, list: ReadList<T>): void {
  // Places behind a joined line are others when the text is read again.
  const isOpen = documents.hasPending || scanner.openHereDocument !== undefined;
  if (isOpen || scanner.source.removed > 0) return;
  list.count = list.items.length;
  list.at = scanner.at;
}
