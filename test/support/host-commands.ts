// Host commands for tests: what each is called says what it does.
import type { HostCommand, HostCommandCall, KilledBySignal } from "../../src/toolkit-cli/index.ts";
import type { Exec } from "../../src/vm/index.ts";

type Run = (call: HostCommandCall) => Promise<number | KilledBySignal>;

export function hostCommand(name: string, run: Run): HostCommand {
  return { name, description: `Does ${name}.`, run };
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Answers when the process is gone, with why. */
export function untilGone({ signal }: HostCommandCall): Promise<string> {
  return new Promise((resolve) => {
    const tell = (): void => resolve(String(signal.reason.message));
    if (signal.aborted) tell();
    else signal.addEventListener("abort", tell);
  });
}

/** `cat`, by way of the host. */
export const pass = hostCommand("pass", async ({ stdin, writeOut }) => {
  for await (const bytes of stdin) await writeOut(bytes);
  return 0;
});

/** `yes`, without end. */
export const flood = hostCommand("flood", async ({ writeOut }) => {
  const line = bytesOf("y\n".repeat(32_768));
  for (;;) await writeOut(line);
});

/** All that a command has written to stdout by now. */
export async function shownBy({ stdout }: Exec): Promise<string> {
  return textOf(await stdout.read(0, stdout.totalBytes));
}
