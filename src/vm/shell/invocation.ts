/** A shell's command line. */
import { findSetOption, setOptions, shoptNames } from "./state/options.ts";

export interface Invocation {
  /** `$0`. */
  readonly name: string;
  readonly positional: readonly string[];
  readonly source:
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "input" };
  readonly options: ReadonlyMap<string, boolean>;
  /** Undefined: when input and errors are a terminal. */
  readonly isInteractive: boolean | undefined;
  readonly isLogin: boolean;
  readonly readsProfile: boolean;
  readonly readsStartFile: boolean;
  /** What to read in place of ~/.bashrc. */
  readonly startFile: string | undefined;
  /** Lines typed at a terminal are edited, not only read. */
  readonly editsLines: boolean;
  /** A command line that cannot be run, or that only asks for words. */
  readonly problem:
    | { readonly fd: 1 | 2; readonly text: string; readonly status: number }
    | undefined;
}

const longOptions =
  "debug debugger dump-po-strings dump-strings help init-file login noediting noprofile norc posix pretty-print rcfile restricted verbose version".split(
    " ",
  );

const usage = (name: string): string => `Usage:	${name} [GNU long option] [option] ...
	${name} [GNU long option] [option] script-file ...
GNU long options:
${longOptions.map((name) => `	--${name}\n`).join("")}Shell options:
	-ilrsD or -c command or -O shopt_option		(invocation only)
	-abefhkmnptuvxBCEHPT or -o option
`;

/** The version whose behaviour is followed. */
const version = "GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n";

interface Draft {
  options: Map<string, boolean>;
  isCommand: boolean;
  isInput: boolean;
  isInteractive: boolean | undefined;
  isLogin: boolean;
  readsProfile: boolean;
  readsStartFile: boolean;
  startFile: string | undefined;
  editsLines: boolean;
  problem: Invocation["problem"];
}

export function readInvocation(argv: readonly string[]): Invocation {
  const [self = "sh"] = argv;
  const name = self;
  const draft: Draft = {
    options: new Map(),
    isCommand: false,
    isInput: false,
    isInteractive: undefined,
    isLogin: self.startsWith("-"),
    readsProfile: true,
    readsStartFile: true,
    startFile: undefined,
    editsLines: true,
    problem: undefined,
  };
  if (/(?:^-?|\/)sh$/.test(name)) draft.options.set("posix", true);
  const operands = readOptions(argv, name, draft);
  return { ...draft, ...chooseSource(operands, name, draft) };
}

function chooseSource(
  operands: readonly string[],
  name: string,
  draft: Draft,
): Pick<Invocation, "name" | "positional" | "source" | "problem"> {
  const { problem } = draft;
  const [first, second, ...rest] = operands;
  if (draft.isCommand) {
    const missing = {
      fd: 2,
      text: `${name}: -c: option requires an argument\n`,
      status: 2,
    } as const;
    const source = { kind: "text", text: first ?? "" } as const;
    return {
      name: second ?? name,
      positional: rest,
      source,
      problem: problem ?? (first === undefined ? missing : undefined),
    };
  }
  if (draft.isInput || first === undefined)
    return { name, positional: operands, source: { kind: "input" }, problem };
  return {
    name: first,
    positional: operands.slice(1),
    source: { kind: "file", path: first },
    problem,
  };
}

/** Reads options into the draft; answers what follows them. */
function readOptions(argv: readonly string[], name: string, draft: Draft): readonly string[] {
  let at = 1;
  for (; at < argv.length && draft.problem === undefined; at++) {
    const word = argv[at] ?? "";
    if (word === "--" || word === "-") return argv.slice(at + 1);
    if (word.startsWith("--")) {
      readLong(word, name, draft);
      if (word === "--rcfile" || word === "--init-file") {
        at += 1;
        draft.startFile = argv[at];
      }
      continue;
    }
    if (!/^[-+]./.test(word)) break;
    for (const letter of word.slice(1)) {
      if (letter === "o") {
        at += 1;
        setNamed(argv[at], word.startsWith("-"), name, draft);
      } else if (letter === "O") {
        at += 1;
        setShellOption(argv[at], word.startsWith("-"), name, draft);
      } else {
        readLetter(letter, word.startsWith("-"), name, draft);
      }
    }
  }
  return argv.slice(at);
}

function readLong(word: string, name: string, draft: Draft): void {
  switch (word) {
    case "--login":
      draft.isLogin = true;
      return;
    case "--noprofile":
      draft.readsProfile = false;
      return;
    case "--norc":
      draft.readsStartFile = false;
      return;
    case "--posix":
      draft.options.set("posix", true);
      return;
    case "--rcfile":
    case "--init-file":
      return;
    case "--verbose":
      draft.options.set("verbose", true);
      return;
    case "--debugger":
      draft.options.set("extdebug", true);
      return;
    case "--noediting":
      draft.editsLines = false;
      return;
    case "--help":
      draft.problem = { fd: 1, text: `${version.replace(" (", "-(")}${usage(name)}`, status: 0 };
      return;
    case "--version":
      draft.problem = { fd: 1, text: version, status: 0 };
      return;
    default:
      draft.problem = {
        fd: 2,
        text: `${name}: ${word}: invalid option\n${usage(name)}`,
        status: 2,
      };
  }
}

function readLetter(letter: string, isOn: boolean, name: string, draft: Draft): void {
  const option = findSetOption(letter);
  if (letter === "c") draft.isCommand = true;
  else if (letter === "s") draft.isInput = true;
  else if (letter === "i") draft.isInteractive = isOn;
  else if (letter === "l") draft.isLogin = isOn;
  else if (option !== undefined) draft.options.set(option, isOn);
  else
    draft.problem = {
      fd: 2,
      text: `${name}: ${isOn ? "-" : "+"}${letter}: invalid option\n${usage(name)}`,
      status: 2,
    };
}

function setNamed(option: string | undefined, isOn: boolean, name: string, draft: Draft): void {
  if (option !== undefined && setOptions.some((row) => row[1] === option))
    draft.options.set(option, isOn);
  else
    draft.problem = {
      fd: 2,
      text: `${name}: line 0: ${name}: ${option ?? ""}: invalid option name\n`,
      status: 2,
    };
}

function setShellOption(
  option: string | undefined,
  isOn: boolean,
  name: string,
  draft: Draft,
): void {
  if (option !== undefined && shoptNames.some((known) => known === option))
    draft.options.set(option, isOn);
  else
    draft.problem = {
      fd: 2,
      text: `${name}: line 0: ${option ?? ""}: invalid shell option name\n`,
      status: 2,
    };
}
