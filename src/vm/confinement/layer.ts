// The layers of a cell's jail, by name, and how one says whether it holds. The starter (broker)
// installs some before the cell's program is loaded, the cell installs the rest, and the doctor
// tries them all.

/** Every layer there is. Tests switch single ones off to show that an attack then succeeds. */
export const layerNames = [
  "empty-environment",
  "permission-model",
  "no-new-privileges",
  "io-uring-off",
  "landlock",
  "own-user",
  "no-capabilities",
  "own-processes",
  "own-network",
  "own-ipc",
  "own-files",
  "few-threads",
  "parent-death",
  "not-dumpable",
  "resource-limits",
  "first-out-of-memory",
  "seccomp",
] as const;

export type LayerName = (typeof layerNames)[number];

/** Whether a layer holds in this process; `detail` says how, or why not. */
export interface Layer {
  readonly name: LayerName;
  readonly state: "held" | "not-held" | "unavailable";
  readonly detail: string;
}

export function held(name: LayerName, detail: string): Layer {
  return { name, state: "held", detail };
}

/** It could hold on this platform and does not: the reason is a fault or a switch. */
export function notHeld(name: LayerName, detail: string): Layer {
  return { name, state: "not-held", detail };
}

/** This platform has no such thing. */
export function unavailable(name: LayerName, detail: string): Layer {
  return { name, state: "unavailable", detail };
}

export function isLayerName(value: unknown): value is LayerName {
  return layerNames.some((name) => name === value);
}
