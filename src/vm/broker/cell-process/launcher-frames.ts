// What the server and the launcher of cells say to each other: native/cell-launcher/src/launcher.h has the other half.
import type { LayerName } from "../../confinement/layer.ts";
import type { ProcessCommand } from "./process-starter.ts";

export const launcherFrames = { setup: 1, start: 2, kill: 3 } as const;

/** In the order of the launcher's `enum layer`. */
export const launcherLayers = [
  "no-new-privileges",
  "landlock",
  "io-uring-off",
  "own-user",
  "no-capabilities",
  "own-processes",
  "own-network",
  "own-ipc",
  "own-files",
  "few-threads",
  "parent-death",
] as const satisfies readonly LayerName[];

export type LauncherLayer = (typeof launcherLayers)[number];

export interface LauncherSetup {
  readonly layers: readonly LauncherLayer[];
  /** A cell's user is this and its pid. */
  readonly firstUser: number;
  /** Threads of a cell. */
  readonly threads: number;
  /** A filter for the launcher itself and all it starts. */
  readonly filter: Uint8Array;
  /** What may be read; a folder stands for everything below it. */
  readonly readable: readonly string[];
  readonly executable: readonly string[];
  /** Symbolic links of the root: name and target. */
  readonly links: readonly (readonly [string, string])[];
}

export function encodeSetup(setup: LauncherSetup): Buffer {
  const wants = launcherLayers.reduce(
    (bits, layer, at) => (setup.layers.includes(layer) ? bits | (1 << at) : bits),
    0,
  );
  const links = setup.links.flat();
  const { readable, executable } = setup;
  const counts = [readable.length, executable.length, links.length];
  return Buffer.concat([
    words(wants, setup.firstUser, setup.threads, setup.filter.length / 8, ...counts),
    setup.filter,
    strings([...readable, ...executable, ...links]),
  ]);
}

export function encodeStart(command: ProcessCommand): Buffer {
  const argv = [command.file, ...command.args];
  const variables = Object.entries(command.environment).map(([name, value]) => `${name}=${value}`);
  return Buffer.concat([
    words(argv.length, variables.length),
    strings([command.workingDirectory, ...argv, ...variables]),
  ]);
}

export function encodeHeader(length: number, kind: number, id: number): Buffer {
  return words(length, kind, id);
}

export type LauncherAnswer =
  | { readonly kind: "ready"; readonly numbers: readonly number[] }
  | { readonly kind: "started" | "failed" | "ended"; readonly id: number; readonly number: number };

/** Puts answers together from the pieces that a socket gives. Throws on what no launcher says. */
export class LauncherAnswers {
  #held: Buffer = Buffer.alloc(0);

  take(chunk: Buffer): LauncherAnswer[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const answers: LauncherAnswer[] = [];
    while (this.#held.length >= HEADER_BYTES) {
      const length = this.#held.readUInt32LE(0);
      if (length > LONGEST_ANSWER) throw new Error("an invalid answer of the launcher");
      if (this.#held.length < HEADER_BYTES + length) break;
      const body = this.#held.subarray(HEADER_BYTES, HEADER_BYTES + length);
      answers.push(readAnswer(this.#held.readUInt32LE(4), this.#held.readUInt32LE(8), body));
      this.#held = this.#held.subarray(HEADER_BYTES + length);
    }
    return answers;
  }
}

function readAnswer(code: number, id: number, body: Buffer): LauncherAnswer {
  const numbers = Array.from({ length: body.length / 4 }, (_, at) => body.readInt32LE(at * 4));
  const kind = answerKinds.get(code);
  const [number] = numbers;
  if (kind === undefined || number === undefined)
    throw new Error("an invalid answer of the launcher");
  return kind === "ready" ? { kind, numbers } : { kind, id, number };
}

const answerKinds = new Map<number, LauncherAnswer["kind"]>([
  [32, "ready"],
  [33, "started"],
  [34, "failed"],
  [35, "ended"],
]);
const HEADER_BYTES = 12;
const LONGEST_ANSWER = 256;

function words(...values: readonly number[]): Buffer {
  return Buffer.from(new Uint32Array(values).buffer);
}

function strings(values: readonly string[]): Buffer {
  if (values.some((value) => value.includes("\0")))
    throw new Error("a word for a cell holds a NUL");
  return Buffer.from(values.map((value) => `${value}\0`).join(""));
}
