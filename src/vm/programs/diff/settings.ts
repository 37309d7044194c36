import type { TextRegExp } from "../regexp/text-regexp.ts";
import type { LineRules } from "./line-classes.ts";
import type { Palette } from "./palette.ts";

export type Style =
  | "normal"
  | "unified"
  | "context"
  | "ed"
  | "forward-ed"
  | "rcs"
  | "side"
  | "format";

/** The formats of `--old-line-format` and its like; `-D` is made of them. */
export interface LineFormats {
  readonly lines: { readonly old: string; readonly new: string; readonly unchanged: string };
  readonly groups: {
    readonly old: string;
    readonly new: string;
    readonly changed: string;
    readonly unchanged: string;
  };
}

/** A diff's command line. */
export interface Settings {
  readonly style: Style;
  readonly context: number;
  readonly rules: LineRules;
  readonly isMinimal: boolean;
  readonly horizon: number;
  readonly ignoresBlank: boolean;
  readonly ignored: readonly TextRegExp[];
  /** Lines that name the function they start. */
  readonly functionLine: TextRegExp | undefined;
  readonly labels: readonly string[];
  /** Undefined where nothing is coloured. */
  readonly palette: Palette | undefined;
  readonly expandsTabs: boolean;
  readonly startsWithTab: boolean;
  readonly suppressesBlankEmpty: boolean;
  readonly width: number;
  readonly hidesCommon: boolean;
  readonly isLeftColumn: boolean;
  readonly isBrief: boolean;
  readonly reportsIdentical: boolean;
  readonly isText: boolean;
  readonly stripsReturns: boolean;
  readonly isRecursive: boolean;
  readonly followsLinks: boolean;
  /** Which of the two may be missing, to be taken as empty. */
  readonly absent: "none" | "first" | "both";
  readonly ignoresNameCase: boolean;
  readonly excludes: readonly ((name: string) => boolean)[];
  readonly startingFile: string | undefined;
  readonly formats: LineFormats;
  /** The options as given, each behind a space, for the line before each pair of a directory. */
  readonly switches: string;
}
