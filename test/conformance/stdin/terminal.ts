// Behaviours on a terminal: a bash script there runs one after the other and says when it is ready for what is
// typed. It is the same script on the host, where the originals answer, and in a VM.
import type { Answer } from "../recorded-case.ts";
import { prepareScript } from "./batch.ts";
import { type Behaviour, bytesOf } from "./behaviour.ts";

/** Ends what a behaviour has left unread. No behaviour types it. */
const SENTINEL = "\x1f";
/** Enough ends of file for every reader, the first of which may only end a line. */
const ENDS = "\x04".repeat(4);

/** A terminal with a bash that has been given `terminalScript`. */
export interface TypedTerminal {
  type(bytes: Uint8Array): void;
  /** What was shown since the last call, up to `mark`, once that is shown. */
  shown(mark: string): Promise<string>;
}

export function terminalScript(behaviours: readonly Behaviour[]): string {
  return `${prepareScript(behaviours)}
for ((at = 0; at < ${behaviours.length}; at++)); do
  stty sane -echo
  printf '\\001ready\\002'
  (cd $at/w; bash -c "$(cat ../script)")
  printf '\\001%s\\001end\\002' $?
  stty raw -echo
  IFS= read -r -d $'\\x1f' _
done
`;
}

/** Types the input of each behaviour in its turn; what the terminal showed, by the behaviours' names. */
export async function runOnTerminal(
  behaviours: readonly Behaviour[],
  terminal: TypedTerminal,
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const { name, input, staysOpen } of behaviours) {
    await terminal.shown("\x01ready\x02");
    terminal.type(Buffer.concat([bytesOf(input), Buffer.from(staysOpen ? "" : ENDS)]));
    const [stdout = "", status] = (await terminal.shown("\x01end\x02")).split("\x01");
    terminal.type(Buffer.from(SENTINEL));
    answers[name] = { stdout, stderr: "", status: Number(status) };
  }
  return answers;
}

/** Collects what a terminal shows, for `shown`. */
export class Shown {
  #text = "";
  #wake: (() => void) | undefined;
  #hasEnded = false;

  append(bytes: Uint8Array): void {
    this.#text += Buffer.from(bytes).toString("latin1");
    this.#wake?.();
  }

  has(mark: string): boolean {
    return this.#text.includes(mark);
  }

  /** Nothing more will be shown. */
  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  async upTo(mark: string): Promise<string> {
    for (;;) {
      const at = this.#text.indexOf(mark);
      if (at !== -1) {
        const shown = this.#text.slice(0, at);
        this.#text = this.#text.slice(at + mark.length);
        return shown;
      }
      if (this.#hasEnded) throw new Error(`the terminal ended with ${JSON.stringify(this.#text)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
