// Scripts of ours, and what the original answered to them on Debian: `cases/<family>.ts` has the
// scripts, `recorded/<family>.json` the answers. Each runs under `bash -c` in an empty directory;
// nothing in them depends on time, user or machine.
import { readdirSync, readFileSync } from "node:fs";

/** By group: one list for each program or feature. */
export type Scripts = Readonly<Record<string, readonly string[]>>;

/** Cases that differ from the original, by the reason why. Each has to differ: else it leaves the list. */
export type KnownDifferences = Readonly<Record<string, readonly string[]>>;

export interface Family {
  readonly scripts: Scripts;
  readonly known?: KnownDifferences;
}

export interface Answer {
  /** Its bytes as latin1. */
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

export interface RecordedCase extends Answer {
  /** `group:number`. */
  readonly id: string;
  readonly script: string;
}

/** shell, or programs. */
export type Area = "shell" | "programs";

export function listFamilies(area: Area): string[] {
  return readdirSync(new URL(`${area}/cases/`, import.meta.url))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.slice(0, -".ts".length));
}

export async function loadFamily(area: Area, family: string): Promise<Family> {
  return (await import(new URL(`${area}/cases/${family}.ts`, import.meta.url).href)) as Family;
}

export function recordedFile(area: Area, family: string): URL {
  return new URL(`${area}/recorded/${family}.json`, import.meta.url);
}

export function readRecorded(area: Area, family: string): readonly RecordedCase[] {
  return JSON.parse(readFileSync(recordedFile(area, family), "utf8")) as RecordedCase[];
}

/** The scripts of a family, each with its id. */
export function listScripts(scripts: Scripts): { readonly id: string; readonly script: string }[] {
  return Object.entries(scripts).flatMap(([group, list]) =>
    list.map((script, at) => ({ id: `${group}:${at + 1}`, script })),
  );
}
