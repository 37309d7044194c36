// What runs in the loop's next turn without a call to the kernel: libuv's uv_async_send, and the ends of
// handles.

let wakeups: (() => void)[] = [];
let closing: (() => void)[] = [];

/** Runs with the next completions. It does not keep the process alive. */
export function wakeSoon(run: () => void): void {
  wakeups.push(run);
}

/** Runs at the end of the loop's turn, which it keeps alive until then. */
export function closeSoon(run: () => void): void {
  closing.push(run);
}

export function hasWakeups(): boolean {
  return wakeups.length > 0;
}

export function hasClosing(): boolean {
  return closing.length > 0;
}

export function runWakeups(): void {
  const now = wakeups;
  wakeups = [];
  for (const run of now) run();
}

export function runClosing(): void {
  const now = closing;
  closing = [];
  for (const run of now) run();
}
