// What `npm run bench` can be asked for.
import { matchesGlob } from "node:path";
import { parseArgs } from "node:util";
import { type PeerName, peerList } from "./peer-list.ts";
import { isCompared, type Row } from "./row.ts";
import { makeRows } from "./rows.ts";

const MEGABYTE = 1024 ** 2;
const STREAM_MEGABYTES = 64;
const FULL_MEGABYTES = 1024;

/** Figures that are no row of makeRows: measured apart, and only of this checkout. */
const otherRows = ["sandbox", "memory", "start"];

export interface BenchOptions {
  /** A commit to compare this checkout with; else it is measured beside the peers. */
  readonly against?: string;
  /** Rounds of every row; undefined leaves it to the rows. */
  readonly rounds?: number;
  readonly isQuick: boolean;
  readonly streamBytes: number;
  /** A file for the results. */
  readonly json?: string;
  readonly isPeerChosen: (peer: PeerName) => boolean;
  readonly isRowChosen: (key: string) => boolean;
}

/** Options that cannot be followed; the message says which and why. */
export class UsageError extends Error {}

export function helpText(): string {
  const keys = [...makeRows(STREAM_MEGABYTES * MEGABYTE).map(({ key }) => key), ...otherRows];
  return `npm run bench -- [options]
  --against COMMIT  compare this checkout with a commit: both are measured in turns in one run.
                    Status 1 when a row is slower, 2 when they cannot be compared
  --rounds N        rounds of each row (20; against a commit 100, or as many as fit into half a minute)
  --rows A,B        only these; * stands for anything: --rows 'stream-*,echo'
  --quick           leave out the rows that take long
  --megabytes N     how much the stream rows move in a round (${STREAM_MEGABYTES})
  --full            the same as --megabytes ${FULL_MEGABYTES}
  --json FILE       write the results there as well
  --peers A,B       of ${peerList.map(({ name }) => name).join(", ")}; all of them unless said otherwise
Rows: ${keys.join(", ")}
Peers are installed in AGENTOS_BENCH_CACHE, or else in the system's temporary folder.
`;
}

/** "help" when that is what is asked for. Throws UsageError. */
export function readOptions(args: readonly string[]): BenchOptions | "help" {
  const values = parse(args);
  if (values.help) return "help";
  const { against, json, peers } = values;
  if (against !== undefined && peers !== undefined) {
    throw new UsageError("--against compares two builds of ours; --peers does not go with it.");
  }
  return {
    ...(against !== undefined && { against }),
    ...(json !== undefined && { json }),
    ...(values.rounds !== undefined && { rounds: count("--rounds", values.rounds) }),
    isQuick: values.quick,
    streamBytes: megabytes(values.megabytes, values.full) * MEGABYTE,
    isPeerChosen: chooser(
      "--peers",
      peers,
      peerList.map(({ name }) => name),
    ),
    isRowChosen: rowChooser(values.rows, against !== undefined),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        against: { type: "string" },
        rounds: { type: "string" },
        rows: { type: "string" },
        quick: { type: "boolean", default: false },
        megabytes: { type: "string" },
        full: { type: "boolean", default: false },
        json: { type: "string" },
        peers: { type: "string" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function rowChooser(list: string | undefined, isAgainst: boolean): (key: string) => boolean {
  const rows = makeRows(MEGABYTE);
  const keysOf = (chosen: readonly Row[]): string[] => chosen.map(({ key }) => key);
  const known = isAgainst ? keysOf(rows.filter(isCompared)) : [...keysOf(rows), ...otherRows];
  return chooser("--rows", list, known);
}

/** Everything when there is no list. A name in it that stands for nothing is refused. */
function chooser(
  option: string,
  list: string | undefined,
  known: readonly string[],
): (name: string) => boolean {
  if (list === undefined) return () => true;
  const patterns = list.split(",");
  for (const pattern of patterns) {
    if (!known.some((name) => matchesGlob(name, pattern))) {
      throw new UsageError(
        `${option}: nothing is named "${pattern}"; known are ${known.join(", ")}.`,
      );
    }
  }
  return (name) => patterns.some((pattern) => matchesGlob(name, pattern));
}

function megabytes(text: string | undefined, isFull: boolean): number {
  if (!isFull) return text === undefined ? STREAM_MEGABYTES : count("--megabytes", text);
  if (text !== undefined) throw new UsageError("Give --full or --megabytes, not both.");
  return FULL_MEGABYTES;
}

function count(option: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UsageError(`${option}: "${text}" is not a number from 1 up.`);
}
