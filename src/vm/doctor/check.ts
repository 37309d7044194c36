// One line of the doctor's findings.

/**
 * `ok`: as it should be. `warning`: VMs run, with less protection or comfort. `failed`: VMs do not
 * run, or an attack succeeds. `unavailable`: this host has no such thing.
 */
export type CheckState = "ok" | "warning" | "failed" | "unavailable";

export interface Check {
  readonly group: "host" | "layer" | "attack" | "configuration";
  readonly name: string;
  readonly state: CheckState;
  readonly detail: string;
  /** What a person can do about it. */
  readonly remedy?: string;
}
