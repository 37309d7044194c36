/** Text that a guest, a model or a server made, as a person may read it. The one place that says what that takes. */

/**
 * Characters that make a reader or a terminal see something else than is there: control characters and line ends,
 * halves of characters, characters without a meaning or a width, marks that turn the writing direction, blanks that
 * are not the blank, and marks piled on one letter.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}|(?<=\p{M}{4})\p{M}/gu;
/** Enough of them push the rest of a line out of a window. Counted in parts: a longer match takes too much of the stack. */
const manyBlanks = / {16,10000}/g;
/** What most texts are made of: they are not looked at twice. */
const notPlain = /[^ -~]/;

const short = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** All of the text on one line: hidden characters as their numbers (`\u{202e}`), many blanks as their count (`\u{20*300}`). */
export function visibleText(text: string): string {
  const shown = notPlain.test(text)
    ? text.replace(hidden, (character) => short.get(character) ?? `\\u{${codeOf(character)}}`)
    : text;
  return shown.replace(manyBlanks, (blanks) => `\\u{20*${blanks.length}}`);
}

/** The same, cut: at most twice `limit` characters, however many of them are hidden. */
export function visibleLine(text: string, limit: number): string {
  // What is cut away is not looked at: the text may be long.
  const isLong = text.length > limit;
  const shown = visibleText(isLong ? text.slice(0, limit) : text);
  return isLong || shown.length > limit * 2 ? `${shown.slice(0, limit * 2 - 1)}…` : shown;
}

/** JSON on one line whose hidden characters are escaped as JSON does it: a person can read it, a program parse it. */
export function visibleJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
): string {
  const json = JSON.stringify(value, replacer);
  return json.replace(hidden, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

/** Alphabets with letters that look like those of Latin. */
const lookalikes = [
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
  ["Coptic", /\p{Script=Coptic}/u],
  ["Lisu", /\p{Script=Lisu}/u],
] as const;
const foreign = /[^\p{ASCII}\s\p{P}\p{S}]/gu;
const wordAtEnd = /[\p{L}\p{N}\p{M}._-]*$/u;
const wordAtStart = /^[\p{L}\p{N}\p{M}._-]*/u;
const NOTES_LIMIT = 5;
/** How far a word is looked at, to either side of a letter. */
const WORD_CHARACTERS = 60;
/** Words that are looked at; of a text of more, it is said. */
const WORDS_LIMIT = 10_000;

/**
 * Words that may be read as another: letters of two alphabets in one word, and letters that stand for ASCII (`ｒｍ`, `𝚛𝚖`). A
 * word that is wholly of another alphabet is not noted: it may be a language.
 */
export function noteLookalikes(text: string): string[] {
  const notes = new Set<string>();
  let words = 0;
  for (const word of foreignWords(text)) {
    words += 1;
    if (notes.size >= NOTES_LIMIT || words > WORDS_LIMIT) {
      notes.add("there are more such words, or too many to look at");
      break;
    }
    const note = noteWord(word);
    if (note !== undefined) notes.add(note);
  }
  return [...notes];
}

/** The words with letters that are not ASCII. Each character is looked at a few times at most, whatever the text. */
function* foreignWords(text: string): Generator<string> {
  foreign.lastIndex = 0;
  for (let found = foreign.exec(text); found !== null; found = foreign.exec(text)) {
    const at = found.index;
    const [before = ""] = wordAtEnd.exec(text.slice(Math.max(0, at - WORD_CHARACTERS), at)) ?? [];
    const [after = ""] = wordAtStart.exec(text.slice(at, at + WORD_CHARACTERS)) ?? [];
    foreign.lastIndex = at + Math.max(after.length, found[0].length);
    const end = foreign.lastIndex;
    yield `${before}${after}`;
    // Who takes the words may have used it meanwhile.
    foreign.lastIndex = end;
  }
}

function noteWord(word: string): string | undefined {
  const shown = JSON.stringify(visibleLine(word, WORD_CHARACTERS));
  const plain = word.replace(/[^\p{ASCII}]/gu, asAscii);
  if (plain !== word) {
    return `${shown} is not ${JSON.stringify(visibleLine(plain, WORD_CHARACTERS))}: its letters only look so`;
  }
  if (!/\p{Script=Latin}/u.test(word)) return undefined;
  const found = lookalikes.find(([, letters]) => letters.test(word));
  return found === undefined ? undefined : `${shown} mixes Latin and ${found[0]} letters`;
}

/** The letter or digit that a character is another form of; itself where it is none. */
function asAscii(character: string): string {
  const plain = character.normalize("NFKC");
  return /^[A-Za-z0-9]$/.test(plain) && /[\p{L}\p{Nd}]/u.test(character) ? plain : character;
}
