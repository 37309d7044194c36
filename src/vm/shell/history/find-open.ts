/** What a further line of a command would be inside of. */
export type Open = "'" | '"' | "`" | "substitution" | "array" | "here-document";

interface Level {
  readonly kind: Exclude<Open, "here-document"> | "group";
}

/** What is open at the end of shell text that ends with a newline; undefined where nothing is. */
export function findOpen(text: string): Open | undefined {
  return new OpenFinder(text).find();
}

class OpenFinder {
  readonly #text: string;
  readonly #levels: Level[] = [];
  readonly #hereDocuments: { readonly end: string; readonly stripsTabs: boolean }[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find(): Open | undefined {
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === "\n" && this.#hereDocuments.length > 0 && !this.#isQuoted) {
        if (!this.#skipHereDocuments()) return "here-document";
        continue;
      }
      this.#step(character);
      this.#at += 1;
    }
    const open = this.#levels.findLast((level) => level.kind !== "group")?.kind;
    return open === undefined || open === "group" ? undefined : open;
  }

  get #top(): Level["kind"] | undefined {
    return this.#levels.at(-1)?.kind;
  }

  get #isQuoted(): boolean {
    return this.#top === "'" || this.#top === '"';
  }

  #step(character: string): void {
    const top = this.#top;
    if (top === "'") {
      if (character === "'") this.#levels.pop();
    } else if (character === "\\") {
      this.#at += 1;
    } else if (character === '"' || character === "`") {
      this.#toggle(character);
    } else if (character === "$" && this.#text.charAt(this.#at + 1) === "(") {
      this.#levels.push({ kind: "substitution" });
      this.#at += 1;
    } else if (top !== '"') {
      this.#stepBare(character);
    }
  }

  #stepBare(character: string): void {
    if (character === "'") this.#levels.push({ kind: "'" });
    else if (character === "(") {
      const before = this.#text.charAt(this.#at - 1);
      this.#levels.push({
        kind:
          before === "="
            ? "array"
            : "<>".includes(before) && before !== ""
              ? "substitution"
              : "group",
      });
    } else if (character === ")" && this.#top !== "`") this.#levels.pop();
    else if (character === "#" && /^$|[\s;&|(]/.test(this.#text.charAt(this.#at - 1))) {
      const end = this.#text.indexOf("\n", this.#at);
      this.#at = end === -1 ? this.#text.length : end - 1;
    } else if (character === "<") this.#readHereDocument();
  }

  #toggle(quote: '"' | "`"): void {
    if (this.#top === quote) this.#levels.pop();
    else this.#levels.push({ kind: quote });
  }

  #readHereDocument(): void {
    const rest = this.#text.slice(this.#at, this.#at + 256);
    const found = /^<<(?!<)(-?)[ \t]*((?:'[^']*'|"[^"]*"|\\.|[^\s;&|<>()'"\\])+)/.exec(rest);
    if (found === null) {
      this.#at += /^<+/.exec(rest)?.[0].length ?? 1;
      this.#at -= 1;
      return;
    }
    const end = (found[2] ?? "").replace(/['"\\]/g, "");
    this.#hereDocuments.push({ end, stripsTabs: found[1] === "-" });
    this.#at += found[0].length - 1;
  }

  /** Goes behind the bodies that start on the next line; answers whether they are whole. */
  #skipHereDocuments(): boolean {
    this.#at += 1;
    for (const { end, stripsTabs } of this.#hereDocuments.splice(0)) {
      for (let isEnd = false; !isEnd; ) {
        if (this.#at >= this.#text.length) return false;
        const newline = this.#text.indexOf("\n", this.#at);
        const stop = newline === -1 ? this.#text.length : newline;
        const line = this.#text.slice(this.#at, stop);
        isEnd = (stripsTabs ? line.replace(/^\t+/, "") : line) === end;
        this.#at = stop + 1;
      }
    }
    return true;
  }
}
