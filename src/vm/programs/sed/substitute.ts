/** The commands `s` and `y` on a pattern space. */
import { decodeText, encodeText } from "../../../kernel/index.ts";
import { utf8Length } from "../regexp/characters.ts";
import type { LineRegExp } from "../regexp/line-regexp.ts";
import type { ReplacementPart, Substitution, Translation } from "./command.ts";
import { ByteBuilder, type PatternSpace } from "./pattern-space.ts";

export class Substituter {
  readonly #isUtf8: boolean;
  readonly #made = new ByteBuilder();
  #mode: "U" | "L" | "E" = "E";
  #once: "u" | "l" | undefined;

  constructor(isUtf8: boolean) {
    this.#isUtf8 = isUtf8;
  }

  /** Answers whether anything was replaced. */
  replace(space: PatternSpace, substitution: Substitution, regExp: LineRegExp): boolean {
    if (!regExp.mayMatch(space)) return false;
    const { bytes, start, end } = space;
    const { number, isGlobal, parts } = substitution;
    const text = { bytes, start, end, isBlock: space.isBlock };
    const made = this.#made;
    made.length = 0;
    let copied = start;
    let lastEnd = -1;
    let count = 0;
    let isReplaced = false;
    for (let from = start; from <= end && regExp.search(text, from); ) {
      const { matchStart, matchEnd } = regExp;
      const isEmptyBehind = matchStart === matchEnd && matchStart === lastEnd;
      if (!isEmptyBehind) count += 1;
      made.add(bytes, copied, matchStart);
      copied = matchStart;
      if (!isEmptyBehind && count >= number) {
        this.#addParts(parts, regExp, text);
        isReplaced = true;
      } else {
        made.add(bytes, matchStart, matchEnd);
      }
      copied = matchEnd;
      lastEnd = matchEnd;
      from = matchEnd;
      if (isReplaced && !isGlobal) break;
      if (matchStart === matchEnd) {
        from += this.#characterLength(bytes, matchEnd, end);
        made.add(bytes, copied, Math.min(from, end));
        copied = Math.min(from, end);
        if (matchEnd >= end) break;
      }
    }
    if (!isReplaced) return false;
    made.add(bytes, copied, end);
    space.swap(made);
    return true;
  }

  #characterLength(bytes: Uint8Array, at: number, end: number): number {
    return this.#isUtf8 ? Math.max(1, utf8Length(bytes, at, end)) : 1;
  }

  #addParts(
    parts: readonly ReplacementPart[],
    regExp: LineRegExp,
    text: { readonly bytes: Uint8Array; readonly start: number; readonly end: number },
  ): void {
    const needsGroups = parts.some((part) => part.kind === "group" && part.index > 0);
    const { matchStart, matchEnd } = regExp;
    const groups = needsGroups ? regExp.groups(text) : undefined;
    this.#mode = "E";
    this.#once = undefined;
    for (const part of parts) {
      if (part.kind === "text") this.#add(part.bytes, 0, part.bytes.length);
      else if (part.kind === "case") this.#changeCase(part.letter);
      else if (part.index === 0) this.#add(text.bytes, matchStart, matchEnd);
      else {
        const from = groups?.[part.index * 2] ?? -1;
        const to = groups?.[part.index * 2 + 1] ?? -1;
        if (from !== -1 && to !== -1) this.#add(text.bytes, from, to);
      }
    }
  }

  #changeCase(letter: "U" | "L" | "u" | "l" | "E"): void {
    if (letter === "u" || letter === "l") {
      this.#once = letter;
      return;
    }
    this.#mode = letter;
    this.#once = undefined;
  }

  #add(bytes: Uint8Array, start: number, end: number): void {
    if (this.#mode === "E" && this.#once === undefined) {
      this.#made.add(bytes, start, end);
      return;
    }
    if (start === end) return;
    const changed = this.#cased(bytes.subarray(start, end));
    this.#made.add(changed, 0, changed.length);
    this.#once = undefined;
  }

  #cased(bytes: Uint8Array): Uint8Array {
    const text = this.#isUtf8 ? decodeText(bytes) : Buffer.from(bytes).toString("latin1");
    const [first = "", ...others] = text;
    const rest = others.join("");
    const changed =
      this.#once === undefined
        ? this.#inMode(text)
        : (this.#once === "u" ? this.#upper(first) : this.#lower(first)) + this.#inMode(rest);
    return this.#isUtf8 ? encodeText(changed) : Buffer.from(changed, "latin1");
  }

  #inMode(text: string): string {
    if (this.#mode === "E") return text;
    return this.#mode === "U" ? this.#upper(text) : this.#lower(text);
  }

  #upper(text: string): string {
    return this.#isUtf8 ? text.toUpperCase() : text.replace(/[a-z]+/g, (all) => all.toUpperCase());
  }

  #lower(text: string): string {
    return this.#isUtf8 ? text.toLowerCase() : text.replace(/[A-Z]+/g, (all) => all.toLowerCase());
  }
}

/** `y`: each character by another. */
export function translate(space: PatternSpace, { bytes: map, longer }: Translation): void {
  const from = space.view();
  if (longer.size === 0) {
    space.set(from.map((byte) => map[byte] ?? byte));
    return;
  }
  const made = new ByteBuilder();
  for (let at = 0; at < from.length; ) {
    const length = Math.max(1, utf8Length(from, at, from.length));
    const key = Buffer.from(from.subarray(at, at + length)).toString("latin1");
    const target = longer.get(key) ?? Uint8Array.of(map[from[at] ?? 0] ?? 0);
    if (length > 1 && !longer.has(key)) made.add(from, at, at + length);
    else made.add(target, 0, target.length);
    at += length;
  }
  space.set(made.bytes.subarray(0, made.length));
}
