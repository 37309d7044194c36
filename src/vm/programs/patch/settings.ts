/** patch's command line. */
export interface PatchSettings {
  /** The file to patch; without it the patch's headers say. */
  readonly file: string | undefined;
  readonly strip: number | undefined;
  readonly maxFuzz: number;
  readonly isReversed: boolean;
  readonly output: string | undefined;
  readonly rejectFile: string | undefined;
  readonly skipsApplied: boolean;
  readonly isForced: boolean;
  readonly isBatch: boolean;
  readonly isDry: boolean;
  readonly isSilent: boolean;
  readonly removesEmpty: boolean;
  readonly ignoresSpace: boolean;
  readonly backup: {
    readonly isAlways: boolean;
    readonly onMismatch: boolean;
    readonly isNumbered: boolean;
    readonly prefix: string;
    readonly suffix: string;
  };
}
