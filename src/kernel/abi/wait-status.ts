/** How a child changed state, as wait(2) tells its parent. */
export type WaitStatus =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signaled"; readonly signal: number }
  | { readonly kind: "stopped"; readonly signal: number }
  | { readonly kind: "continued" };

/** The number a shell shows as `$?`: 128 + signal for a signal's death. */
export function shellStatus(status: WaitStatus): number {
  switch (status.kind) {
    case "exited":
      return status.code;
    case "signaled":
    case "stopped":
      return 128 + status.signal;
    case "continued":
      return 0;
  }
}

/** Options of wait(2). */
export const WNOHANG = 1;
export const WUNTRACED = 2;
export const WCONTINUED = 8;
