/** What an installation is to change: which package is placed where, and what cannot be had. */
import type { InstalledPackage } from "./installed-packages.ts";
import type { JsonObject } from "./json.ts";
import type { DependencyKind } from "./manifest.ts";

/** A package that is to be put into node_modules. */
export interface Placement {
  readonly path: string;
  readonly kind: "link" | "tarball";
  /** A link's target, or the folder that a tarball was extracted into. */
  readonly content: string;
  readonly manifest: JsonObject;
  /** A tarball's path and checksum. */
  readonly resolved?: string;
  readonly integrity?: string;
  /** What is there now. */
  readonly replaced: InstalledPackage | undefined;
}

export interface MissingPackage {
  readonly name: string;
  readonly spec: string;
  readonly kind: DependencyKind;
}

export interface InstallPlan {
  readonly placements: ReadonlyMap<string, Placement>;
  /** Dependencies that no folder, tarball or software has, without the optional ones. */
  readonly missing: readonly MissingPackage[];
}
