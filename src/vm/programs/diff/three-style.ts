/** Which blocks of three files diff3 merges, and which it brackets. */
import type { Options } from "../options.ts";
import type { Block } from "./merge-three.ts";

/** Options that choose a style; one of them is taken. */
export const styleOptions = [
  "show-all",
  "ed",
  "show-overlap",
  "overlap-only",
  "X",
  "easy-only",
] as const;

export interface ThreeStyle {
  readonly brackets: boolean;
  /** The older file's lines are shown, and where only they differ. */
  readonly showsOlder: boolean;
  readonly isOverlapOnly: boolean;
  readonly isEasyOnly: boolean;
}

/** The style asked for; without one all is shown. */
export function readThreeStyle(options: Options): ThreeStyle {
  const style = options.last(...styleOptions) ?? "show-all";
  return {
    brackets: style === "show-all" || style === "show-overlap",
    showsOlder: style === "show-all",
    isOverlapOnly: style === "overlap-only" || style === "X",
    isEasyOnly: style === "easy-only",
  };
}

/** What becomes of a block: mine stays, yours is taken, or both are shown. */
export function treatmentOf(kind: Block["kind"], style: ThreeStyle): "keep" | "take" | "bracket" {
  switch (kind) {
    case "mine":
      return "keep";
    case "older":
      return style.showsOlder ? "bracket" : "keep";
    case "yours":
      return style.isOverlapOnly ? "keep" : "take";
    case "all":
      if (style.isEasyOnly) return "keep";
      return style.brackets ? "bracket" : "take";
  }
}
