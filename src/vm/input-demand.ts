/**
 * Whether a command looks for more input than it was sent. Its cell answers when that is so, and may take
 * for ever: one question is under way at most, and serves all who wait.
 */
export class InputDemand {
  readonly #ask: () => Promise<void>;
  #question: Question | undefined;
  #sentBytes = 0;

  /** `ask` resolves once the command has read all that the cell got for it, and looks for more. */
  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  /** To be called with all input, before it is sent. */
  noteSent(bytes: number): void {
    this.#sentBytes += bytes;
  }

  /** Resolves to true once the command looks for more; to false if input was sent after the question, or with `over`. */
  async wait(over: Promise<void>): Promise<boolean> {
    if (this.#question === undefined || this.#question.isAnswered) this.#question = this.#put();
    const question = this.#question;
    await Promise.race([question.answered, over]);
    return question.isAnswered && question.sentBytes === this.#sentBytes;
  }

  #put(): Question {
    const question: Question = {
      sentBytes: this.#sentBytes,
      isAnswered: false,
      answered: this.#ask().then(() => {
        question.isAnswered = true;
      }),
    };
    return question;
  }
}

interface Question {
  /** What had been sent when it was asked. */
  readonly sentBytes: number;
  readonly answered: Promise<void>;
  isAnswered: boolean;
}
