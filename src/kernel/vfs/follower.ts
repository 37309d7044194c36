import type { Stat } from "../abi/stat.ts";
import type { Inode } from "./file-system.ts";

/** A name of a directory, with all that is known of its file. */
export interface SurveyedFile {
  readonly name: string;
  readonly inode: Inode;
  readonly stat: Stat;
  /** Where a symlink leads. */
  readonly target?: string | undefined;
}

/** A page of a directory with the attributes of all in it; `cursor` continues it. */
export interface Survey {
  /** Of the directory itself. */
  readonly stat: Stat;
  readonly files: readonly SurveyedFile[];
  readonly cursor: number | undefined;
  /** `changes` tells all that is changed in it from then on. Else its picture is good for a moment only. */
  readonly isFollowed: boolean;
}

/** Contents of files, one after the other. */
export interface Contents {
  /** Of each file; -1 for one that is not there. */
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array;
}

export interface ChangedDirectory {
  readonly directory: Inode;
  /** What is not as it was; undefined: any name may be, and the directory has to be surveyed anew to be followed. */
  readonly names: readonly string[] | undefined;
}

/**
 * Looks at whole directories for one who keeps a picture of them, and tells what of it is out of date. What is changed
 * by way of a name elsewhere (a second link) is not told: files with several names are looked at anew.
 */
export interface Follower {
  /** Entries from `cursor` (0 at first) on, as `FileSystem.list` has them. ESTALE, EOVERFLOW. */
  survey(directory: Inode, cursor: number, limit: number): Promise<Survey>;
  /**
   * Whole directories that have at most `limit` names each, one after the other until they come to `totalNames`;
   * undefined for the others, and for what cannot be listed.
   */
  surveyWhole(
    directories: readonly Inode[],
    limits: { readonly limit: number; readonly totalNames: number },
  ): Promise<readonly (Survey | undefined)[]>;
  /**
   * The whole content of each file that has at most `limitBytes` and can be read, up to `totalBytes` of all
   * together.
   */
  contents(
    files: readonly Inode[],
    limits: { readonly limitBytes: number; readonly totalBytes: number },
  ): Promise<Contents>;
  /** Since the last time: whatever happened before the call is in the answer. Undefined: anything may have changed. */
  changes(): Promise<readonly ChangedDirectory[] | undefined>;
  /** Nobody keeps the pictures any more. */
  close(): void;
}
