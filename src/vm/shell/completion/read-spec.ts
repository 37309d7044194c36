/** The options that `complete` and `compgen` share. */
import type { Shell } from "../state/shell.ts";
import {
  actionLetters,
  type CompletionSpec,
  completionOptions,
  emptySpec,
  namedActions,
} from "./completion-spec.ts";

export interface SpecWords {
  readonly spec: CompletionSpec;
  /** Letters that are no part of the spec: `p`, `r`, `D`, `E`, `I`. */
  readonly letters: ReadonlySet<string>;
  /** Whether anything of the spec was given. */
  readonly isGiven: boolean;
  readonly operands: readonly string[];
}

const valueFields: ReadonlyMap<string, keyof CompletionSpec> = new Map([
  ["G", "globPattern"],
  ["W", "words"],
  ["P", "prefix"],
  ["S", "suffix"],
  ["X", "filter"],
  ["C", "command"],
  ["F", "functionName"],
]);

/** Undefined after an option that cannot be, which has been complained about: status 2. */
export async function readSpec(
  shell: Shell,
  words: readonly string[],
  { extra, usage }: { readonly extra: string; readonly usage: string },
): Promise<SpecWords | undefined> {
  const reader = new SpecReader(words, extra);
  const problem = reader.read();
  if (problem === undefined) return reader.result();
  const [name = ""] = words;
  await shell.complain(`${name}: ${problem.message}`);
  if (problem.showsUsage) await shell.write(2, `${name}: usage: ${usage}\n`);
  return undefined;
}

interface Problem {
  readonly message: string;
  readonly showsUsage: boolean;
}

class SpecReader {
  readonly #words: readonly string[];
  readonly #extra: string;
  readonly #actions = new Set<string>();
  readonly #options = new Set<string>();
  readonly #values = new Map<string, string>();
  readonly #letters = new Set<string>();
  #at = 1;

  constructor(words: readonly string[], extra: string) {
    this.#words = words;
    this.#extra = extra;
  }

  read(): Problem | undefined {
    for (; this.#at < this.#words.length; this.#at++) {
      const word = this.#words[this.#at] ?? "";
      if (!/^-./.test(word)) break;
      if (word === "--") {
        this.#at += 1;
        break;
      }
      const problem = this.#readLetters(word);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #readLetters(word: string): Problem | undefined {
    for (let place = 1; place < word.length; place++) {
      const letter = word.charAt(place);
      const action = actionLetters.get(letter);
      if (action !== undefined) this.#actions.add(action);
      else if (this.#extra.includes(letter)) this.#letters.add(letter);
      else if ("oA".includes(letter) || valueFields.has(letter))
        return this.#readValue(letter, word.slice(place + 1));
      else return { message: `-${letter}: invalid option`, showsUsage: true };
    }
    return undefined;
  }

  #readValue(letter: string, rest: string): Problem | undefined {
    const value = rest === "" ? this.#words[(this.#at += 1)] : rest;
    if (value === undefined)
      return { message: `-${letter}: option requires an argument`, showsUsage: true };
    if (letter === "o") {
      if (!completionOptions.includes(value))
        return { message: `${value}: invalid option name`, showsUsage: false };
      this.#options.add(value);
    } else if (letter === "A") {
      if (!namedActions.includes(value) && ![...actionLetters.values()].includes(value))
        return { message: `${value}: invalid action name`, showsUsage: false };
      this.#actions.add(value);
    } else {
      if (letter === "F" && /[\s$`"'\\;&|<>()]/.test(value))
        return { message: `\`${value}': not a valid identifier`, showsUsage: false };
      this.#values.set(valueFields.get(letter) ?? "", value);
    }
    return undefined;
  }

  result(): SpecWords {
    return {
      spec: {
        ...emptySpec,
        ...Object.fromEntries(this.#values),
        actions: this.#actions,
        options: this.#options,
      },
      letters: this.#letters,
      isGiven: this.#actions.size + this.#options.size + this.#values.size > 0,
      operands: this.#words.slice(this.#at),
    };
  }
}
