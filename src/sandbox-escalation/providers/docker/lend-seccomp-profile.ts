import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSeccompProfile } from "./seccomp-profile.ts";

/** Gives the profile as the engine takes it, for as long as the container is made: a file is gone afterwards. */
export async function lendSeccompProfile<T>(
  architecture: "x64" | "arm64",
  asFile: boolean,
  use: (seccomp: string) => Promise<T>,
): Promise<T> {
  const text = JSON.stringify(makeSeccompProfile(architecture));
  if (!asFile) return await use(text);
  const directory = await mkdtemp(join(tmpdir(), "agentos-mcp-seccomp-"));
  try {
    const file = join(directory, "profile.json");
    await writeFile(file, text, { mode: 0o600 });
    return await use(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
