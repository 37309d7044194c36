// The files by which running servers of a home are found: one per server, written when it listens,
// removed when it leaves, and left behind when it is killed. Runs on Node 20.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Home } from "./home.ts";

/** How to reach a server. A record may outlive its server: only an answer proves that it runs. */
export interface ServerRecord {
  readonly build: string;
  readonly pid: number;
  readonly socket: string;
  /** The file that configures it, whether or not it exists. Servers of older builds do not say. */
  readonly config?: string;
  /** Known only to who can read the home: a connection without it is refused. */
  readonly key: string;
}

const recordName = /^server-(.+)\.json$/;

/** The record of this home's server of one build, if there is one that can be read. */
export function findRecord(home: Home, build: string): ServerRecord | undefined {
  try {
    return parseRecord(readFileSync(recordFile(home, build), "utf8"));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The records of all servers of this home, of whatever build. */
export function listRecords(home: Home): ServerRecord[] {
  const builds = readdirSync(home.directory).map((name) => recordName.exec(name)?.[1]);
  return builds
    .map((build) => (build === undefined ? undefined : findRecord(home, build)))
    .filter((record) => record !== undefined);
}

/** Publishes a server. It appears whole or not at all. */
export function writeRecord(home: Home, record: ServerRecord): void {
  const file = recordFile(home, record.build);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}

/** Removes a record and the socket it names, if the record is still this one. */
export function removeRecord(home: Home, record: ServerRecord): void {
  if (findRecord(home, record.build)?.key === record.key) {
    rmSync(recordFile(home, record.build), { force: true });
  }
  if (process.platform !== "win32") rmSync(record.socket, { force: true });
}

/** Whether somebody listens on the record's socket. A server that hangs still does. */
export async function isAnswering(record: ServerRecord): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(record.socket);
    const finish = (answers: boolean): void => {
      socket.destroy();
      resolve(answers);
    };
    socket.once("connect", () => finish(true)).once("error", () => finish(false));
  });
}

function recordFile(home: Home, build: string): string {
  return join(home.directory, `server-${build}.json`);
}

/** A file cut short by a full disk, or written by something else, counts as no record. */
function parseRecord(text: string): ServerRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is ServerRecord {
  if (typeof value !== "object" || value === null) return false;
  return (
    "build" in value &&
    typeof value.build === "string" &&
    "pid" in value &&
    typeof value.pid === "number" &&
    "socket" in value &&
    typeof value.socket === "string" &&
    (!("config" in value) || typeof value.config === "string") &&
    "key" in value &&
    typeof value.key === "string"
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
