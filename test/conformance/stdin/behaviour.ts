// What a behaviour is: a script that reads its stdin, and what it is given.

/** Runs as `bash -c script` in a directory that has only the file `other`. */
export interface Behaviour {
  /** The script and its input, for people. */
  readonly name: string;
  readonly script: string;
  readonly input: Input;
  /** Stdin stays open until the script has ended: it must not wait for an end that never comes. */
  readonly staysOpen: boolean;
  /** Where it cannot run, with the reason. */
  readonly skips: Skips;
  /** Where it does not answer as the original, with the reason. It has to differ there. */
  readonly differs: Differences;
}

/** Text, bytes as latin1, or the lines from 1 to `seq`, which are too many for the text of a command. */
export type Input =
  | { readonly text: string }
  | { readonly latin1: string }
  | { readonly seq: number };

/** Kinds of stdin that the original has, too. */
export const recordedKinds = ["file", "pipe", "fifo", "socketpair", "terminal"] as const;

export type RecordedKind = (typeof recordedKinds)[number];

/** `mcp`: stdin that an MCP tool gives to its command. */
export type Skips = Readonly<Partial<Record<RecordedKind | "mcp", string>>>;

export type Differences = Readonly<Partial<Record<RecordedKind, string>>>;

type Options = Partial<Pick<Behaviour, "staysOpen" | "skips" | "differs">>;

/** A script that opens `/dev/stdin` opens a FIFO anew, and waits for a writer that may have left. */
const REOPENED = /\/dev\/stdin|\/fd\/0/;

/** Behaviours that share an input. */
export function withInput(
  input: Input | string,
  scripts: readonly (string | readonly [script: string, options: Options])[],
  shared: Options = {},
): Behaviour[] {
  const given = typeof input === "string" ? { text: input } : input;
  return scripts.map((one) => {
    const [script, options] = typeof one === "string" ? [one, {}] : one;
    const { staysOpen = false, differs = {} } = { ...shared, ...options };
    const name = `${script} <<< ${JSON.stringify(input)}`;
    const reopened = { fifo: "opening a FIFO anew waits for a writer, which may have left" };
    const skips = {
      ...(REOPENED.test(script) ? reopened : {}),
      ...shared.skips,
      ...options.skips,
    };
    return { name, script, input: given, staysOpen, skips, differs };
  });
}

export function bytesOf(input: Input): Buffer {
  if ("text" in input) return Buffer.from(input.text);
  if ("latin1" in input) return Buffer.from(input.latin1, "latin1");
  return Buffer.from(Array.from({ length: input.seq }, (_, at) => `${at + 1}\n`).join(""));
}
