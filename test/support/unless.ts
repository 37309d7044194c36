// Tests that need what not every machine has: elsewhere they are skipped, and the end of the run says why.
import type { TestOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test, or every test of the suite, is skipped. */
    obstacle?: string;
  }
}

/** Options of a test or a suite: skipped, with its reason, where one of the obstacles is there. */
export function unless(...obstacles: readonly (string | undefined)[]): TestOptions {
  const obstacle = obstacles.filter((one) => one !== undefined).join("; ");
  return obstacle === "" ? {} : { skip: true, meta: { obstacle } };
}

const { platform, arch } = process;

export const notLinux = platform === "linux" ? undefined : "needs Linux";
export const notJailable =
  platform === "linux" && arch === "x64"
    ? undefined
    : "needs Linux on x64: elsewhere most layers of the jail do not exist";
export const notUnix = platform === "win32" ? "needs a Unix" : undefined;
export const notRoot = process.getuid?.() === 0 ? undefined : "needs root";
