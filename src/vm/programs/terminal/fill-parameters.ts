/** A terminfo text with its parameters filled in, as tparm(3) does it. */

/** Longer texts come of no terminal. */
const LENGTH_LIMIT = 65_536;

export function fillParameters(text: string, parameters: readonly (number | string)[]): string {
  return new Filler(text, parameters).run();
}

class Filler {
  readonly #text: string;
  readonly #parameters: (number | string)[];
  readonly #stack: (number | string)[] = [];
  readonly #variables = new Map<string, number | string>();
  #at = 0;
  #out = "";

  constructor(text: string, parameters: readonly (number | string)[]) {
    this.#text = text;
    this.#parameters = [...parameters];
  }

  run(): string {
    while (this.#at < this.#text.length && this.#out.length < LENGTH_LIMIT) {
      const character = this.#text.charAt(this.#at);
      this.#at += 1;
      if (character !== "%") {
        this.#out += character;
        continue;
      }
      const code = this.#text.charAt(this.#at);
      this.#at += 1;
      this.#apply(code);
    }
    return this.#out;
  }

  #apply(code: string): void {
    if ("?;".includes(code)) return;
    if (code === "%") this.#out += "%";
    else if (code === "p") this.#stack.push(this.#parameters[Number(this.#take(1)) - 1] ?? 0);
    else if (code === "i")
      for (const at of [0, 1]) this.#parameters[at] = this.#number(this.#parameters[at]) + 1;
    else if (code === "P") this.#variables.set(this.#take(1), this.#stack.pop() ?? 0);
    else if (code === "g") this.#stack.push(this.#variables.get(this.#take(1)) ?? 0);
    else if (code === "{") this.#stack.push(Number(this.#takeUntil("}")));
    else if (code === "'") this.#stack.push(this.#takeUntil("'").charCodeAt(0));
    else if (code === "t") this.#skipUnless();
    else if (code === "e") this.#skipTo([";"]);
    else if (code === "c") this.#out += String.fromCharCode(this.#pop());
    else if (code === "s") this.#out += String(this.#stack.pop() ?? "");
    else if (code === "l") this.#stack.push(String(this.#stack.pop() ?? "").length);
    else if (/[:\d.#xXod]/.test(code)) this.#format(code);
    else this.#operate(code);
  }

  /** `%d`, `%02d`, `%x` and the like. */
  #format(first: string): void {
    const rest = /^[\d.]*[doxX]?/.exec(this.#text.slice(this.#at))?.[0] ?? "";
    const isWhole = /[doxX]/.test(first);
    if (!isWhole) this.#at += rest.length;
    const spec = isWhole ? first : `${first}${rest}`;
    const base = spec.endsWith("o") ? 8 : /[xX]$/.test(spec) ? 16 : 10;
    const digits = this.#pop().toString(base);
    const width = Number(/\d+/.exec(spec)?.[0] ?? "0");
    this.#out += digits.padStart(Math.min(width, 64), /^0|\.\d/.test(spec) ? "0" : " ");
  }

  #operate(code: string): void {
    if (code === "!" || code === "~") {
      const value = this.#pop();
      this.#stack.push(code === "!" ? Number(value === 0) : ~value);
      return;
    }
    const right = this.#pop();
    const left = this.#pop();
    this.#stack.push(calculate(code, left, right));
  }

  /** Behind `%t`: what follows holds where the value is not 0. */
  #skipUnless(): void {
    if (this.#pop() === 0) this.#skipTo(["e", ";"]);
  }

  #skipTo(ends: readonly string[]): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      if (this.#text.charAt(this.#at) !== "%") {
        this.#at += 1;
        continue;
      }
      const code = this.#text.charAt(this.#at + 1);
      this.#at += 2;
      if (depth === 0 && ends.includes(code)) return;
      if (code === "?") depth += 1;
      if (code === ";") depth -= 1;
    }
  }

  #take(count: number): string {
    const taken = this.#text.slice(this.#at, this.#at + count);
    this.#at += count;
    return taken;
  }

  #takeUntil(end: string): string {
    const at = this.#text.indexOf(end, this.#at + 1);
    const stop = at === -1 ? this.#text.length : at;
    const taken = this.#text.slice(this.#at, stop);
    this.#at = stop + 1;
    return taken;
  }

  #pop(): number {
    return this.#number(this.#stack.pop());
  }

  #number(value: number | string | undefined): number {
    return Number(value ?? 0) || 0;
  }
}

function calculate(code: string, left: number, right: number): number {
  switch (code) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? 0 : Math.trunc(left / right);
    case "m":
      return right === 0 ? 0 : left % right;
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    case "=":
      return Number(left === right);
    case "<":
      return Number(left < right);
    case ">":
      return Number(left > right);
    case "A":
      return Number(left !== 0 && right !== 0);
    case "O":
      return Number(left !== 0 || right !== 0);
    default:
      return 0;
  }
}
