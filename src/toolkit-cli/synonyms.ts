/** What tools do, in the words that people have for it. */
import { stem } from "./stem.ts";

const GROUPS = [
  "get read fetch show view retrieve load download",
  "list all every enumerate browse",
  "find search query lookup",
  "create add new make insert",
  "update edit change modify set patch rename",
  "delete remove drop erase destroy",
  "send post publish share",
  "run execute start launch trigger",
  "stop cancel end abort close",
  "event meeting appointment",
  "file document",
  "folder directory",
  "picture image photo",
];

const byWord: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.flatMap((group) => {
    const words = group.split(" ").map(stem);
    return words.map((word) => [word, words.filter((other) => other !== word)] as const);
  }),
);

/** Stems of words that mean the same as one whose stem it is. */
export function synonymsOf(word: string): readonly string[] {
  return byWord.get(word) ?? [];
}
