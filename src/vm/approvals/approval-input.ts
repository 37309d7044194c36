import { type ShownInput, sha256 } from "../../toolkit-cli/index.ts";

/** What runs with it if it is allowed: all that a person is asked about, and what binds their answer to it. */
export interface ApprovalInput {
  /** What runs, as JSON and to the byte. It may hold secrets: no person and no log sees it while it does. */
  readonly exact: string;
  /** Of `exact`, in hexadecimal digits: who allows the one allows the other. */
  readonly sha256: string;
  /** All of it as people see it; only what its schema marks as secret is masked. */
  readonly shown: string;
  readonly hasSecrets: boolean;
}

export function approvalInput(exact: string, { text, hasSecrets }: ShownInput): ApprovalInput {
  return { exact, sha256: sha256(exact), shown: text, hasSecrets };
}
