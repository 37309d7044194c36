/** The words of a history line, as word designators count them: operators are words, too. */
export function tokenizeLine(text: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (/[ \t]/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    if (text.charAt(at) === "#") break;
    const end = wordEnd(text, at);
    words.push(text.slice(at, end));
    at = end;
  }
  return words;
}

function wordEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if ("()\n".includes(first)) return start + 1;
  const digits = /^\d+(?=[<>])/.exec(text.slice(start, start + 12))?.[0] ?? "";
  const at = start + digits.length;
  const operator = /^(?:<<[-<]?|[<>]&[\d]*-?|>\||&>>?|([<>;&|])\1|[;&|]|[<>](?!\())/.exec(
    text.slice(at, at + 16),
  );
  if (operator !== null) return at + operator[0].length;
  return plainEnd(text, start);
}

/** Where a word ends: at a blank or an operator outside quotes and parentheses. */
function plainEnd(text: string, start: number): number {
  let at = start;
  let depth = 0;
  let quote = "";
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\" && quote !== "'") {
      at += 1;
    } else if (quote !== "") {
      if (character === quote) quote = "";
    } else if ("'\"`".includes(character)) {
      quote = character;
    } else if (character === "(" && (depth > 0 || "$<>@?+*!".includes(text.charAt(at - 1)))) {
      depth += 1;
    } else if (character === ")" && depth > 0) {
      depth -= 1;
    } else if (depth === 0 && at > start && " \t\n;&()|<>".includes(character)) {
      break;
    }
  }
  return Math.min(at, text.length);
}
