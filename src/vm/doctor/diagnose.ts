// The doctor: what stands between a guest and this host, found out by trying, not by reading settings.
import type { Layer, LayerName } from "../confinement/layer.ts";
import type { AttackResult } from "./attack.ts";
import type { Check, CheckState } from "./check.ts";
import {
  checkCgroup,
  checkHome,
  checkIsolatedVm,
  checkMemoryWatchdog,
  checkNode,
  checkPlatform,
} from "./host-checks.ts";
import { nativeAttacks } from "./native-attacks.ts";
import { nodeAttacks } from "./node-attacks.ts";
import { runProbe } from "./run-probe.ts";

export interface DoctorReport {
  /** The worst state among the checks; `unavailable` ones do not count. */
  readonly state: "ok" | "warning" | "failed";
  readonly checks: readonly Check[];
}

export interface DiagnoseOptions {
  /** The server's directory for state and socket. */
  readonly home: string;
  /** What else was looked at, for the same report. */
  readonly others?: readonly Check[];
  /** Layers to leave out, for tests. */
  readonly without?: readonly LayerName[];
}

/** Looks at the host and runs one hostile cell. Takes under a second; rejects only on a bug of ours. */
export async function diagnose(options: DiagnoseOptions): Promise<DoctorReport> {
  const [isolatedVm, jail] = await Promise.all([
    checkIsolatedVm(),
    checkJail(options.without ?? []),
  ]);
  const host = [
    checkPlatform(),
    checkNode(),
    isolatedVm,
    checkMemoryWatchdog(),
    checkCgroup(),
    checkHome(options.home),
  ];
  const checks = [...host, ...jail, ...(options.others ?? [])];
  const has = (state: CheckState): boolean => checks.some((check) => check.state === state);
  return { state: has("failed") ? "failed" : has("warning") ? "warning" : "ok", checks };
}

async function checkJail(without: readonly LayerName[]): Promise<Check[]> {
  try {
    const report = await runProbe({ without });
    return [...report.layers.map(layerCheck), ...report.attacks.map(attackCheck)];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [
      {
        group: "layer",
        name: "probe",
        state: "failed",
        detail,
        remedy: "No VM starts like this: report it with this text.",
      },
    ];
  }
}

function layerCheck(layer: Layer): Check {
  const { name, detail } = layer;
  if (layer.state === "held") return { group: "layer", name, state: "ok", detail };
  if (layer.state === "unavailable") return { group: "layer", name, state: "unavailable", detail };
  return { group: "layer", name, state: "warning", detail, remedy: remedies[name] };
}

function attackCheck(result: AttackResult): Check {
  const attack = [...nodeAttacks, ...nativeAttacks].find(
    ({ name, route }) => name === result.name && route === result.route,
  );
  const name = `${result.name} (${result.route})`;
  if (result.outcome === "not-tried")
    return { group: "attack", name, state: "unavailable", detail: result.detail };
  if (result.outcome === "refused")
    return { group: "attack", name, state: "ok", detail: `refused: ${result.detail}` };
  const layers = attack?.stoppedBy.join(" or ") ?? "a layer";
  const remedy = `Make ${layers} hold; until then run only guests you trust.`;
  // Machine code in a cell needs a hole in V8 first; where its layers do not exist, that is a warning.
  const state = result.route === "native" || process.platform !== "linux" ? "warning" : "failed";
  return { group: "attack", name, state, detail: `a cell ${attack?.says ?? result.name}`, remedy };
}

const namespaceRemedy =
  "Allow namespaces: for a plain user kernel.unprivileged_userns_clone=1 and no restriction by AppArmor; in a container, its profile.";

const remedies: Readonly<Record<LayerName, string>> = {
  "empty-environment": "Start cells without the option that switches it off.",
  "permission-model": "Run cells on the pinned Node 26; older ones do not guard the network.",
  "no-new-privileges": "Run cells on the pinned Node 26, which has node:ffi.",
  "io-uring-off": "Use a kernel with seccomp filters, or set kernel.io_uring_disabled=2.",
  landlock: "Use Linux 5.13 or newer with `landlock` among the security modules (lsm= at boot).",
  "own-user":
    "Run the server as a plain user on a host that allows user namespaces (kernel.unprivileged_userns_clone, AppArmor's restriction), or as root.",
  "no-capabilities": "Run cells on the pinned Node 26, which has node:ffi.",
  "own-processes": namespaceRemedy,
  "own-network": namespaceRemedy,
  "own-ipc": namespaceRemedy,
  "own-files": `${namespaceRemedy} Linux 5.12 or newer is needed.`,
  "few-threads": "Make own-user hold: the limit counts all threads of a user.",
  "parent-death": "Run cells on the pinned Node 26, which has node:ffi.",
  "not-dumpable": "Run cells on the pinned Node 26, which has node:ffi.",
  "resource-limits": "Run cells on the pinned Node 26, which has node:ffi.",
  "first-out-of-memory": "Mount /proc so that a parent can write its children's oom_score_adj.",
  seccomp:
    "Use a kernel with seccomp filters; in a container, let its own profile allow seccomp(2).",
};
