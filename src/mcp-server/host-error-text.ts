import { HostError } from "../vm/host-error.ts";

/**
 * What an operator's problem says and how it is remedied, for whoever asked; undefined for an error
 * that is our bug.
 */
export function hostErrorText(error: unknown): string | undefined {
  return error instanceof HostError ? `${error.message} ${error.remedy}` : undefined;
}
