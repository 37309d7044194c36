// A toolkit that shows its caller what reaches it, for tests of VMs that call tools.
import type { ToolContext, Toolkit } from "../../src/toolkit-cli/index.ts";
import { builtToolkits } from "./built-toolkit-cli.ts";

const { tool, toolkit } = builtToolkits;
const anything = { type: "object" } as const;

/** What has happened in the handlers of one toolkit. */
export class TestToolkit {
  readonly calls: { readonly input: unknown; readonly context: ToolContext }[] = [];
  /** Calls of `hang` whose signal has been aborted. */
  aborted = 0;
  /** Calls of `hang` under way, and the most there were at one time. */
  running = 0;
  most = 0;
  /** Items that `endless` has made, and whether it has been ended. */
  made = 0;
  hasEnded = false;
  readonly toolkit: Toolkit;
  #changed: (() => void) | undefined;
  #description = "Says what it gets.";

  constructor(name = "demo") {
    const made = this.#make(name);
    this.toolkit = {
      ...made,
      tools: () => this.#make(name).tools(),
      onChange: (listener) => {
        this.#changed = listener;
        return () => undefined;
      },
    };
  }

  /** Its tools are described differently from now on. */
  change(description: string): void {
    this.#description = description;
    this.#changed?.();
  }

  #make(name: string): Toolkit {
    return toolkit(name, {
      description: "For tests.",
      tools: {
        echo: tool({
          description: this.#description,
          input: anything,
          handler: (input, context) => {
            this.calls.push({ input, context });
            return input;
          },
        }),
        text: tool({
          description: "A text of that size.",
          input: { type: "object", properties: { size: { type: "integer" } }, required: ["size"] },
          handler: ({ size }: { size: number }) => "x".repeat(size),
        }),
        hang: tool({
          description: "Waits until it is given up.",
          input: anything,
          handler: (_, { signal }) => this.#hang(signal),
        }),
        endless: tool({
          description: "Numbers without end.",
          input: anything,
          handler: () => this.#count(),
        }),
        remove: tool({
          description: "Needs approval.",
          input: anything,
          approval: true,
          handler: (input, context) => {
            this.calls.push({ input, context });
            return "removed";
          },
        }),
      },
    });
  }

  async #hang(signal: AbortSignal): Promise<void> {
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.running -= 1;
    this.aborted += 1;
  }

  async *#count(): AsyncGenerator<{ readonly count: number; readonly text: string }> {
    try {
      for (;;) {
        this.made += 1;
        yield { count: this.made, text: "x".repeat(1000) };
      }
    } finally {
      this.hasEnded = true;
    }
  }
}
