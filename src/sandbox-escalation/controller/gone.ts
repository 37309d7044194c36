import { type Sandbox, SandboxError } from "../provider.ts";

/** How long a sandbox that is gone may take to say why. */
const WORDS_MS = 1000;

export function isGone(error: unknown): error is SandboxError {
  return error instanceof SandboxError && error.code === "gone";
}

/** Why a sandbox is gone that has just refused a process for it. */
export async function whyGone({ gone }: Sandbox, refusal: SandboxError): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(refusal.message), WORDS_MS);
  });
  try {
    return await Promise.race([gone, silence]);
  } finally {
    clearTimeout(timer);
  }
}
