/**
 * What an operator's problem says and how it is remedied, for whoever asked; undefined for an error
 * that is our bug. Told by its name, so that nobody loads the VMs to describe an error.
 */
export function hostErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "HostError") return undefined;
  const remedy = "remedy" in error && typeof error.remedy === "string" ? error.remedy : "";
  return `${error.message} ${remedy}`.trim();
}
