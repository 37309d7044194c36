/** Key sequences in the notation of `bind` and inputrc: `\C-x\C-r`, `\M-b`, `\e[A`, `Control-u`. */

const ESCAPE = "\u001b";

const escapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["d", "\u007f"],
  ["e", ESCAPE],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

const keyNames: ReadonlyMap<string, string> = new Map([
  ["del", "\u007f"],
  ["rubout", "\u007f"],
  ["esc", ESCAPE],
  ["escape", ESCAPE],
  ["lfd", "\n"],
  ["newline", "\n"],
  ["ret", "\r"],
  ["return", "\r"],
  ["space", " "],
  ["spc", " "],
  ["tab", "\t"],
]);

/** The characters a sequence between quotes stands for; Meta is an escape before the character. */
export function decodeSequence(text: string): string {
  let decoded = "";
  let isControl = false;
  let isMeta = false;
  const add = (character: string): void => {
    const shifted = isControl ? toControl(character) : character;
    decoded += isMeta ? `${ESCAPE}${shifted}` : shifted;
    isControl = false;
    isMeta = false;
  };
  for (let at = 0; at < text.length; at++) {
    const rest = text.slice(at);
    const prefix = /^\\([CM])-/.exec(rest);
    if (prefix !== null) {
      decoded += prefix[1] === "M" && isMeta ? ESCAPE : "";
      isControl ||= prefix[1] === "C";
      isMeta ||= prefix[1] === "M";
      at += 2;
      continue;
    }
    const coded = /^\\([0-7]{1,3}|x[0-9A-Fa-f]{1,2})/.exec(rest);
    if (coded !== null) {
      const [whole, digits = ""] = coded;
      const isHex = digits.startsWith("x");
      add(String.fromCharCode(Number.parseInt(isHex ? digits.slice(1) : digits, isHex ? 16 : 8)));
      at += whole.length - 1;
    } else if (text.charAt(at) === "\\" && at + 1 < text.length) {
      at += 1;
      add(escapes.get(text.charAt(at)) ?? text.charAt(at));
    } else {
      add(text.charAt(at));
    }
  }
  if (isMeta) decoded += ESCAPE;
  return decoded;
}

/** `Control-u`, `Meta-Rubout`, `C-x`: a key by name, without quotes. */
export function decodeKeyName(text: string): string {
  const parts = /^((?:control-|c-|meta-|m-)*)(.*)$/is.exec(text);
  const prefixes = (parts?.[1] ?? "").toLowerCase();
  const name = parts?.[2] ?? "";
  const key = keyNames.get(name.toLowerCase()) ?? name.charAt(0);
  const shifted = /(?:^|-)c(?:ontrol)?-/.test(prefixes) ? toControl(key) : key;
  return /(?:^|-)m(?:eta)?-/.test(prefixes) ? `${ESCAPE}${shifted}` : shifted;
}

function toControl(character: string): string {
  return character === "?"
    ? "\u007f"
    : String.fromCharCode(character.toUpperCase().charCodeAt(0) & 0x1f);
}

/** The notation of a sequence; `isMeta` writes an escape before a key as `\M-`. */
export function encodeSequence(sequence: string, isMeta = false): string {
  return [...sequence]
    .map((character, at) => {
      const isLast = at === sequence.length - 1;
      if (character === ESCAPE) return isMeta ? `\\M-${isLast ? "\\000" : ""}` : "\\e";
      if (character === '"' || character === "\\") return `\\${character}`;
      const code = character.charCodeAt(0);
      if (code === 127) return "\\C-?";
      if (code >= 32) return character;
      const shifted = String.fromCharCode(code + 64).toLowerCase();
      return `\\C-${shifted === "\\" ? "\\\\" : shifted}`;
    })
    .join("");
}
