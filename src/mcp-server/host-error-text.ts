import { HostError } from "../vm/host-error.ts";

/**
 * What an operator's problem says and how it is remedied, or what a VM's kernel said to a call for
 * the host, for whoever asked; undefined for an error that is our bug.
 */
export function hostErrorText(error: unknown): string | undefined {
  if (error instanceof HostError) return `${error.message} ${error.remedy}`;
  // By its name: nobody loads the kernel to describe an error.
  return error instanceof Error && error.name === "KernelError" ? error.message : undefined;
}
