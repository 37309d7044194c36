// The walls of a local sandbox, by name. All of them stand unless a test of the walls leaves one out, to
// show that an attack then succeeds: no option of a user leads here.

/** The last is of sandboxes with a root of their own. */
export const protectionNames = [
  "lesser-id",
  "empty-environment",
  "seccomp",
  "own-network",
  "own-processes",
  "read-only-root",
  "chosen-files",
  "few-rights",
] as const;

export type Protection = (typeof protectionNames)[number];
