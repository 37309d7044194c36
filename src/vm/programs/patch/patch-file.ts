/** Applies the patch of one file, and says how it went in GNU patch's words. */
import { decodeText, isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { Output } from "../output.ts";
import { errorWords, type Run } from "../program.ts";
import { quoteFile } from "../quote-text.ts";
import { readAllBytes } from "../read-all.ts";
import { findStat } from "../run-command.ts";
import { HunkApplication, type Placed } from "./apply-hunks.ts";
import { chooseTarget, isDangerous, listNames } from "./choose-target.ts";
import { contextOf, type Hunk, reverseHunk } from "./hunk.ts";
import { describeSide, type FilePatch } from "./parse-patch.ts";
import {
  type Patched,
  PatchedFiles,
  PatchFailure,
  type Rejected,
  type Target,
} from "./patched-files.ts";
import type { Reject } from "./rejects.ts";
import type { PatchSettings } from "./settings.ts";

interface Progress extends Patched {
  readonly application: HunkApplication;
  readonly rejects: Reject[];
  isReversed: boolean;
  isSkipping: boolean;
  isAnyway: boolean;
  hasMismatch: boolean;
}

export class FilePatcher {
  readonly #run: Run;
  readonly #settings: PatchSettings;
  /** Messages go to fd 2 where the patched file goes to fd 1. */
  readonly #messages: Output;
  readonly #files: PatchedFiles;

  constructor(run: Run, settings: PatchSettings) {
    this.#run = run;
    this.#settings = settings;
    this.#files = new PatchedFiles(run.sys, settings);
    this.#messages = settings.output === "-" ? new Output(run.sys, 2) : run.out;
  }

  async finish(): Promise<void> {
    await this.#messages.flush();
  }

  #say(text: string): void {
    if (!this.#settings.isSilent) this.#messages.addText(text);
  }

  /** Answers 1 where not everything was applied. Fails with a PatchFailure. */
  async patchFile(patch: FilePatch): Promise<number> {
    if (patch.hadReturns)
      this.#say("(Stripping trailing CRs from patch; use --binary to disable.)\n");
    const target = await this.#findTarget(patch);
    if (target === undefined) return this.#cannotFind(patch);
    const status = await this.#checkKind(patch, target);
    if (status !== undefined) return status;
    const text = await this.#readInput(target);
    const progress: Progress = {
      patch,
      target,
      application: new HunkApplication(this.#run.sys, splitLines(text), this.#settings),
      rejects: [],
      isReversed: this.#settings.isReversed,
      isSkipping: false,
      isAnyway: false,
      hasMismatch: false,
    };
    if (!this.#checkExistence(progress, text)) {
      this.#say(`${countHunks(patch.hunks.length, patch.hunks.length)} ignored\n`);
      return 1;
    }
    this.#announce(patch, target);
    for (const [at, hunk] of patch.hunks.entries()) await this.#applyHunk(progress, hunk, at + 1);
    if (patch.error !== undefined) {
      await this.#messages.flush();
      throw new PatchFailure(patch.error.message);
    }
    return this.#conclude(progress);
  }

  async #findTarget(patch: FilePatch): Promise<Target | undefined> {
    const { file, output, strip, isReversed } = this.#settings;
    const { git } = patch;
    const found = file ?? (await chooseTarget(this.#run.sys, patch, strip, mayCreate(patch)));
    const [from, to] = isReversed
      ? [git?.renameTo, git?.renameFrom]
      : [git?.renameFrom, git?.renameTo];
    const input = file === undefined && from !== undefined ? from : found;
    if (input === undefined || (file === undefined && isDangerous(input))) return undefined;
    const renamed = file === undefined && to !== undefined && !isDangerous(to) ? to : input;
    const stat = await findStat(this.#run.sys, input, true);
    if (stat === undefined && from !== undefined && file === undefined) return undefined;
    return { input, output: output ?? renamed, stat };
  }

  #cannotFind(patch: FilePatch): number {
    const { strip, isForced, isBatch } = this.#settings;
    if (mayCreate(patch))
      for (const name of new Set(listNames(patch, strip).filter(isDangerous)))
        this.#say(`Ignoring potentially dangerous file name ${quoteFile(name)}\n`);
    const hint = strip === undefined ? "should have used the" : "used the wrong";
    this.#say(`can't find file to patch at input line ${patch.line}\n`);
    if (patch.old !== undefined || patch.new !== undefined || patch.git !== undefined)
      this.#say(`Perhaps you ${hint} -p or --strip option?\n`);
    this.#say("The text leading up to this was:\n--------------------------\n");
    for (const line of patch.leading) this.#say(`|${line}`);
    this.#say("--------------------------\n");
    if (isForced || isBatch) this.#say("No file to patch.  Skipping patch.\n");
    else this.#say("File to patch: \nSkip this patch? [y] \nSkipping patch.\n");
    const count = patch.hunks.length;
    if (count > 0) this.#say(`${countHunks(count, count)} ignored\n`);
    return 1;
  }

  async #checkKind(patch: FilePatch, { input, stat, output }: Target): Promise<number | undefined> {
    const isFollowed = this.#run.has("follow-symlinks") && stat?.kind === "symlink";
    if (stat === undefined || stat.kind === "file" || isFollowed) return undefined;
    this.#say(`File ${quoteFile(input)} is not a regular file -- refusing to patch\n`);
    const rejects = patch.hunks.map((hunk) => ({ hunk, offset: 0 }));
    await this.#saveRejects({ patch, output, rejects, isReversed: false }, "ignored");
    return 1;
  }

  async #readInput({ input, stat }: Target): Promise<string> {
    if (stat === undefined) return "";
    const { sys } = this.#run;
    try {
      const fd = await sys.open(input, O_RDONLY | O_CLOEXEC);
      try {
        return decodeText(await readAllBytes(sys, fd));
      } finally {
        await sys.close(fd);
      }
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new PatchFailure(`Can't open file ${quoteFile(input)} : ${errorWords(error)}`);
    }
  }

  /** A patch that creates what is there, or deletes what is not, may be one to take back. */
  #checkExistence(progress: Progress, text: string): boolean {
    const { patch, target } = progress;
    const from = progress.isReversed ? "new" : "old";
    const to = progress.isReversed ? "old" : "new";
    const opposite = progress.isReversed ? ", when reversed," : "";
    const name = quoteFile(target.input);
    if (target.stat !== undefined && text !== "" && describeSide(patch, from) === "absent")
      return this.#mayReverse(
        progress,
        `The next patch${opposite} would create the file ${name},\nwhich already exists!`,
      );
    if (text === "" && describeSide(patch, to) !== "there") {
      const [does, is] =
        target.stat === undefined
          ? ["delete", "does not exist"]
          : ["empty out", "is already empty"];
      const question = `The next patch${opposite} would ${does} the file ${name},\nwhich ${is}!`;
      return this.#mayReverse(progress, question);
    }
    return true;
  }

  /** Asks what to do about a patch that seems to be the wrong way round; false skips it. */
  #mayReverse(progress: Progress, question: string): boolean {
    const { skipsApplied, isForced, isBatch, isSilent } = this.#settings;
    const [ignoring, ignore] = progress.isReversed
      ? ["Ignoring", "Ignore"]
      : ["Assuming", "Assume"];
    if (skipsApplied || !(isForced && isSilent)) this.#messages.addText(question);
    if (skipsApplied) {
      this.#messages.addText("  Skipping patch.\n");
      progress.isSkipping = true;
      return false;
    }
    if (isForced) {
      this.#say("  Applying it anyway.\n");
      return true;
    }
    if (isBatch) {
      this.#messages.addText(`  ${ignoring} -R.\n`);
      progress.isReversed = !progress.isReversed;
      return true;
    }
    this.#messages.addText(`  ${ignore} -R? [n] \nApply anyway? [n] \n`);
    this.#say("Skipping patch.\n");
    progress.isSkipping = true;
    return false;
  }

  #announce(patch: FilePatch, { input, output }: Target): void {
    const verb = this.#settings.isDry ? "checking" : "patching";
    const isRenamed = output !== input && patch.git?.renameTo !== undefined;
    const how = isRenamed
      ? ` (${patch.git?.isCopy === true ? "copied" : "renamed"} from ${quoteFile(input)})`
      : output === input
        ? ""
        : ` (read from ${quoteFile(input)})`;
    this.#say(`${verb} file ${quoteFile(output)}${how}\n`);
  }

  async #applyHunk(progress: Progress, given: Hunk, number: number): Promise<void> {
    const { application, rejects } = progress;
    const placed = progress.isSkipping ? undefined : await this.#place(progress, given, number);
    const hunk = progress.isReversed ? reverseHunk(given) : given;
    if (placed === undefined) {
      rejects.push({ hunk, offset: application.outOffset });
      progress.hasMismatch ||= !progress.isSkipping;
      if (!progress.isSkipping)
        this.#say(`Hunk #${number} FAILED at ${hunk.oldStart + application.outOffset}.\n`);
      return;
    }
    const newPlace = placed.where + application.outOffset;
    application.apply(hunk, placed);
    const offset = application.inOffset;
    const isLoud = this.#run.has("verbose");
    if (placed.fuzz === 0 && offset === 0 && !isLoud) return;
    if (placed.fuzz > 0 || offset !== 0) progress.hasMismatch = true;
    const fuzz = placed.fuzz === 0 ? "" : ` with fuzz ${placed.fuzz}`;
    const lines = `line${offset === 1 ? "" : "s"}`;
    const moved = offset === 0 ? "" : ` (offset ${offset} ${lines})`;
    this.#say(`Hunk #${number} succeeded at ${newPlace}${fuzz}${moved}.\n`);
  }

  async #place(progress: Progress, given: Hunk, number: number): Promise<Placed | undefined> {
    const { application } = progress;
    const { isForced } = this.#settings;
    const { prefix, suffix } = contextOf(given);
    const most = Math.min(this.#settings.maxFuzz, Math.max(prefix, suffix));
    for (let fuzz = 0; fuzz <= most; fuzz++) {
      const hunk = progress.isReversed ? reverseHunk(given) : given;
      const placed = await application.locate(hunk, fuzz);
      if (placed !== undefined) return placed;
      const isFirst = number === 1 && progress.isReversed === this.#settings.isReversed;
      if (!isFirst || isForced || progress.isAnyway) continue;
      const turned = progress.isReversed ? given : reverseHunk(given);
      const back = await application.locate(turned, fuzz);
      if (back === undefined) continue;
      const words = progress.isReversed ? "Unreversed" : "Reversed (or previously applied)";
      return this.#mayReverse(progress, `${words} patch detected!`) ? back : undefined;
    }
    return undefined;
  }

  async #conclude(progress: Progress): Promise<number> {
    const { patch, target, rejects, application } = progress;
    const lines = application.finish();
    const text = lines.join("");
    let status = rejects.length > 0 ? 1 : 0;
    if (target.stat === undefined && rejects.length > 0 && !progress.isSkipping)
      throw new PatchFailure(
        `Can't reopen file ${quoteFile(target.input)} : No such file or directory`,
      );
    if (!progress.isSkipping) {
      const isRemoved = this.#isRemoved(progress, text);
      if (
        describeSide(patch, progress.isReversed ? "old" : "new") === "absent" &&
        text !== "" &&
        rejects.length === 0
      ) {
        this.#say(`Not deleting file ${quoteFile(target.output)} as content differs from patch\n`);
        status = 1;
      }
      if (!this.#settings.isDry) await this.#files.write(progress, text, isRemoved);
    }
    if (rejects.length > 0) {
      const word = progress.isSkipping ? "ignored" : "FAILED";
      const { isReversed } = progress;
      await this.#saveRejects({ patch, output: target.output, rejects, isReversed }, word);
    }
    return status;
  }

  async #saveRejects(rejected: Rejected, word: string): Promise<void> {
    const { rejects, patch } = rejected;
    const path = this.#files.rejectPath(rejected.output);
    const where = path === undefined ? "" : ` -- saving rejects to file ${quoteFile(path)}`;
    this.#messages.addText(`${countHunks(rejects.length, patch.hunks.length)} ${word}${where}\n`);
    if (path !== undefined) await this.#files.saveRejects(path, rejected);
  }

  #isRemoved({ patch, isReversed }: Progress, text: string): boolean {
    if (text !== "") return false;
    const side = isReversed ? patch.old : patch.new;
    const isGone = isReversed ? patch.git?.isNew === true : patch.git?.isDeleted === true;
    return this.#settings.removesEmpty || side?.isEpoch === true || isGone;
  }
}

/** Whether the file may be missing: on one side, the patch has no lines of it. */
function mayCreate(patch: FilePatch): boolean {
  return describeSide(patch, "old") !== "there" || describeSide(patch, "new") !== "there";
}

function countHunks(failed: number, all: number): string {
  return `${failed} out of ${all} hunk${all === 1 ? "" : "s"}`;
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
