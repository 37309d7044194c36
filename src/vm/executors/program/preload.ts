import { findProgram } from "../../programs/registry.ts";

/** What the first commands of a VM are most likely to need. */
const likely = [
  "sh",
  "bash",
  "cat",
  "echo",
  "ls",
  "wc",
  "head",
  "sort",
  "grep",
  "mkdir",
  "rm",
  "cp",
];

/** Loads those before a VM is made, so that its first command does not wait for modules. */
export async function preloadPrograms(): Promise<void> {
  await Promise.all(likely.map((name) => findProgram(name)));
}
