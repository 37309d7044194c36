/** How the words after a command are completed: what `complete` and `compgen` are told. */
export interface CompletionSpec {
  /** Names as `-A` has them. */
  readonly actions: ReadonlySet<string>;
  readonly options: ReadonlySet<string>;
  readonly globPattern: string | undefined;
  readonly words: string | undefined;
  readonly prefix: string | undefined;
  readonly suffix: string | undefined;
  readonly filter: string | undefined;
  readonly command: string | undefined;
  readonly functionName: string | undefined;
}

/** The letters that stand for actions, in the order they are shown. */
export const actionLetters: ReadonlyMap<string, string> = new Map([
  ["a", "alias"],
  ["b", "builtin"],
  ["c", "command"],
  ["d", "directory"],
  ["e", "export"],
  ["f", "file"],
  ["g", "group"],
  ["j", "job"],
  ["k", "keyword"],
  ["s", "service"],
  ["u", "user"],
  ["v", "variable"],
]);

/** The actions without a letter. */
export const namedActions: readonly string[] = [
  "arrayvar",
  "binding",
  "disabled",
  "enabled",
  "function",
  "helptopic",
  "hostname",
  "running",
  "setopt",
  "shopt",
  "signal",
  "stopped",
];

export const completionOptions: readonly string[] = [
  "bashdefault",
  "default",
  "dirnames",
  "filenames",
  "noquote",
  "nosort",
  "nospace",
  "plusdirs",
];

/** What stands for a completion that is no command's own. */
export const specialNames: ReadonlyMap<string, string> = new Map([
  ["D", "_DefaultCmD_"],
  ["E", "_EmptycmD_"],
  ["I", "_InitialWorD_"],
]);

export const emptySpec: CompletionSpec = {
  actions: new Set(),
  options: new Set(),
  globPattern: undefined,
  words: undefined,
  prefix: undefined,
  suffix: undefined,
  filter: undefined,
  command: undefined,
  functionName: undefined,
};

/** How many commands can have a completion. */
const SPEC_LIMIT = 16_384;
/** As many buckets as bash's table has: they give the order in which `complete` lists. */
const BUCKETS = 512;

/** The completions by command. A subshell has a copy. */
export class Completions {
  readonly #specs: Map<string, CompletionSpec>;
  /** Something has been set, ever: before that nothing is missed by `complete -r`. */
  isUsed = false;
  /** While a completion function runs: the options it may change by `compopt`. */
  current: Set<string> | undefined;

  constructor(specs: Iterable<readonly [string, CompletionSpec]> = []) {
    this.#specs = new Map(specs);
  }

  get(name: string): CompletionSpec | undefined {
    return this.#specs.get(name);
  }

  /** Answers false where there is no room for one more. */
  set(name: string, spec: CompletionSpec): boolean {
    if (!this.#specs.has(name) && this.#specs.size >= SPEC_LIMIT) return false;
    this.#specs.delete(name);
    this.#specs.set(name, spec);
    this.isUsed = true;
    return true;
  }

  remove(name: string): boolean {
    return this.#specs.delete(name);
  }

  clear(): void {
    this.#specs.clear();
  }

  /** In bash's order: by bucket, in a bucket the newest first. */
  list(): readonly (readonly [string, CompletionSpec])[] {
    return [...this.#specs].toReversed().toSorted((a, b) => bucketOf(a[0]) - bucketOf(b[0]));
  }

  copy(): Completions {
    const copy = new Completions(this.#specs);
    copy.isUsed = this.isUsed;
    return copy;
  }
}

/** FNV-1, the hash of bash's tables. */
function bucketOf(name: string): number {
  let hash = 2_166_136_261;
  for (const byte of new TextEncoder().encode(name)) {
    hash = Math.imul(hash, 16_777_619) ^ byte;
  }
  return hash & (BUCKETS - 1);
}
