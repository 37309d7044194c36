import {
  type Credentials,
  type Kernel,
  makeCredentials,
  ProcessEnded,
  type Sys,
} from "../../kernel/index.ts";
import type { Actor } from "../wire/cell-methods.ts";

/** The user that commands and file calls act as: uid and gid 1000, see image/. */
const USER = makeCredentials(1000, 1000, [1000]);
const ROOT = makeCredentials(0, 0);

export function credentialsOf(actor: Actor): Credentials {
  return actor === "root" ? ROOT : USER;
}

/** Does something as `actor` in a process of its own, which ends with it: nothing stays open. */
export async function actAs<T>(
  kernel: Kernel,
  actor: Actor,
  step: (sys: Sys) => Promise<T>,
): Promise<T> {
  const process = kernel.enterAs(credentialsOf(actor));
  const sys = kernel.sysOf(process);
  try {
    return await step(sys);
  } finally {
    await sys.exit(0).catch((error: unknown) => {
      if (!(error instanceof ProcessEnded)) throw error;
    });
  }
}
