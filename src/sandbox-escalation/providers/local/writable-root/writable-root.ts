import type { IdMaps } from "../id-maps.ts";

/** The root of one sandbox: layers that many share and nobody changes, and what this one changed. */
export interface WritableRoot {
  /** Directories of the host, the uppermost first. */
  readonly layers: readonly string[];
  /** A directory of the host with `upper` and `work` in it, of this sandbox alone. */
  readonly changes: string;
  readonly ids: IdMaps;
}
