import type { Sandbox } from "../provider.ts";

/** What a controller knows of its sandbox's use, for who decides when to carry files. */
export interface Activity {
  readonly nowMs: number;
  readonly lastUseMs: number;
  readonly isBusy: boolean;
}

/**
 * The files of a VM that follow its sandbox, where that has files of its own. For a sandbox that shares the
 * workspace nothing happens in any of these.
 */
export interface FollowingFiles {
  isAway(sandbox: Sandbox): boolean;
  /** It runs: what is here goes there, and from now on the VM sees its files. SandboxError "failed". */
  follow(sandbox: Sandbox, signal: AbortSignal): Promise<void>;
  /** Carries back what changed, if it is time to. Never throws. */
  save(sandbox: Sandbox, activity: Activity): Promise<void>;
  /**
   * It will stop: carries back what changed, unless aborted; from now on the VM sees what is here. Never throws;
   * answers what is not here now, in plain words, if anything.
   */
  comeHome(sandbox: Sandbox, signal: AbortSignal): Promise<string | undefined>;
  /** It is gone: the VM sees what was carried last. Answers what that is, in plain words. */
  abandon(sandbox: Sandbox): string | undefined;
  /** Something ran there: what was known of its files is old. */
  expire(): void;
}
