export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Called with each event that is no result: progress, hints, approvals that are waited for. */
  readonly onEvent?: (event: object) => void;
}
