import { isKernelError, type KernelError, type Sys } from "../../kernel/index.ts";
import { isJsonArray, isJsonObject } from "../flags/json-kinds.ts";
import type { JsonValue } from "../json-schema.ts";
import type { ToolValue } from "../tool-event.ts";
import type { CallOptions } from "./call-options.ts";
import type { OutputPlace } from "./output-place.ts";
import { pickFields } from "./pick-fields.ts";
import { plainText, sizeText } from "./plain-text.ts";
import { createResultFile, type ResultFile } from "./result-file.ts";
import { asData, type WrittenValue, writeValue } from "./result-value.ts";
import { writeAll, writeText } from "./write-all.ts";

/** What an agent or a person is shown of a result; what is longer goes into a file. */
const SHOWN_LIMIT_BYTES = 32 * 1024;
/** The beginning that is shown of a result in a file. */
const HEAD_BYTES = 2048;
const NEWLINE = new Uint8Array([0x0a]);

export interface ResultOutputOptions {
  /** For messages: `agentos-project list-issues`. */
  readonly name: string;
  readonly toolkit: string;
  readonly tool: string;
  readonly place: OutputPlace;
  readonly options: CallOptions;
}

/**
 * Writes a result to fd 1, in pieces where it comes so. Where somebody reads it (a terminal, or the host's
 * side of the VM), a long one and one of bytes goes into a file, and its beginning is shown. A pipe or
 * file inside the VM gets everything.
 */
export class ResultOutput {
  readonly #sys: Sys;
  readonly #about: ResultOutputOptions;
  #isWatched: boolean;
  /** What was shown, as long as it may have to go into a file. */
  #shown: Uint8Array[] = [];
  #shownBytes = 0;
  #totalBytes = 0;
  #file: ResultFile | undefined;
  #lastByte = 0x0a;
  #endsLine = false;
  #count: number | undefined;
  #isText = false;

  constructor(sys: Sys, about: ResultOutputOptions) {
    this.#sys = sys;
    this.#about = about;
    const { isFull, format } = about.options;
    this.#isWatched = about.place !== "inside" && !isFull && format !== "raw";
  }

  /** A piece: text and bytes as they are, data a line each. */
  async addChunk(value: ToolValue): Promise<void> {
    const chosen = await this.#choose(value);
    const { format } = this.#about.options;
    const isLine = chosen.kind === "json" || format === "json";
    await this.#add(writeValue(chosen, format, false), isLine);
  }

  async addResult(value: ToolValue): Promise<void> {
    const chosen = await this.#choose(value);
    if (chosen.kind === "json") this.#count = countItems(chosen.json);
    const isIndented = this.#about.place === "terminal";
    const written = writeValue(chosen, this.#about.options.format, isIndented);
    const { bytes, endsLine } = written;
    await this.#add(written, endsLine && bytes.length > 0 && bytes.at(-1) !== 0x0a);
  }

  async finish(): Promise<void> {
    const isEmpty = this.#totalBytes === 0 && this.#file === undefined;
    await this.finishPart();
    if (isEmpty && this.#about.place !== "inside") {
      await this.#say(
        this.#isText ? "done; the result is an empty text" : "done; it has no result",
      );
    }
  }

  /** Ends the line and says where the rest is. */
  async finishPart(): Promise<void> {
    if (this.#endsLine && this.#lastByte !== 0x0a) await this.#write(NEWLINE);
    const file = this.#file;
    if (file === undefined) return;
    await file.close();
    const items = this.#count === undefined ? "" : ` (${this.#count} items)`;
    const size = sizeText(this.#totalBytes);
    const shown =
      this.#shownBytes === 0 ? "" : `the first ${sizeText(this.#shownBytes)} are above, `;
    const next = this.#shownBytes === 0 ? "" : " (jq, grep, head; or --fields a,b.c; or --full)";
    await this.#say(`${size}${items}: ${shown}all of it is in ${file.path}${next}`);
  }

  /** Only the fields that are wanted. */
  async #choose(value: ToolValue): Promise<ToolValue> {
    const { fields, format } = this.#about.options;
    const data = asData(value, fields.length > 0 || format === "json");
    if (data.kind === "text") this.#isText = true;
    if (fields.length === 0) return data;
    if (data.kind !== "json") {
      await this.#say("--fields has no effect: the result is no data");
      return data;
    }
    const { json, missing, known } = pickFields(data.json, fields);
    if (missing.length > 0) {
      const there = known.length === 0 ? "" : `; there are: ${known.map(plainText).join(", ")}`;
      await this.#say(`no field ${missing.map(plainText).join(", ")} in the result${there}`);
    }
    return { kind: "json", json };
  }

  /** A short line is one write: those of commands that run side by side must not mix. */
  async #add(value: WrittenValue, isLine: boolean): Promise<void> {
    const { bytes, extension, isBinary, endsLine } = value;
    this.#endsLine = endsLine;
    if (isBinary && this.#isWatched) await this.#spill(extension);
    const isShort = bytes.length < SHOWN_LIMIT_BYTES;
    await this.#write(isLine && isShort ? withNewline(bytes) : bytes, extension);
    if (isLine && !isShort) await this.#write(NEWLINE);
  }

  async #write(bytes: Uint8Array, extension = "txt"): Promise<void> {
    if (bytes.length === 0) return;
    this.#lastByte = bytes.at(-1) ?? 0;
    this.#totalBytes += bytes.length;
    if (this.#file !== undefined) return this.#keep(this.#file, bytes);
    if (!this.#isWatched) return writeAll(this.#sys, 1, bytes);
    if (this.#shownBytes + bytes.length <= SHOWN_LIMIT_BYTES) return this.#show(bytes);
    const file = await this.#spill(extension);
    if (file === undefined) return writeAll(this.#sys, 1, bytes);
    if (this.#shownBytes === 0) await this.#show(headOf(bytes));
    return this.#keep(file, bytes);
  }

  async #show(bytes: Uint8Array): Promise<void> {
    this.#shownBytes += bytes.length;
    if (this.#file === undefined) this.#shown.push(bytes);
    await writeAll(this.#sys, 1, bytes);
    const isCut = this.#file !== undefined && bytes.at(-1) !== 0x0a;
    if (isCut) await writeAll(this.#sys, 1, NEWLINE);
  }

  /** From now on into a file, what was shown first. Undefined where there can be none. */
  async #spill(extension: string): Promise<ResultFile | undefined> {
    if (this.#file !== undefined) return this.#file;
    try {
      const { toolkit, tool } = this.#about;
      this.#file = await createResultFile(this.#sys, `${toolkit}-${tool}`, extension);
      for (const part of this.#shown) await this.#file.write(part);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#giveUp(error);
    }
    this.#shown = [];
    return this.#file;
  }

  async #keep(file: ResultFile, bytes: Uint8Array): Promise<void> {
    try {
      await file.write(bytes);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await file.close();
      await this.#giveUp(error);
      await writeAll(this.#sys, 1, bytes);
    }
  }

  async #giveUp(error: KernelError): Promise<void> {
    this.#file = undefined;
    this.#isWatched = false;
    await this.#say(`the result cannot be kept in a file (${error.message}): here it is`);
  }

  async #say(message: string): Promise<void> {
    await writeText(this.#sys, 2, `${this.#about.name}: ${message}\n`);
  }
}

function withNewline(bytes: Uint8Array): Uint8Array {
  const line = new Uint8Array(bytes.length + 1);
  line.set(bytes);
  line.set(NEWLINE, bytes.length);
  return line;
}

/** Whole lines of the beginning, or whole characters where a line is too long. */
function headOf(bytes: Uint8Array): Uint8Array {
  const newline = bytes.lastIndexOf(0x0a, HEAD_BYTES - 1);
  if (newline > 0) return bytes.subarray(0, newline + 1);
  let end = HEAD_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** Of a list, or of an object around one list. */
function countItems(json: JsonValue): number | undefined {
  if (isJsonArray(json)) return json.length;
  if (!isJsonObject(json)) return undefined;
  const lists = Object.values(json).filter(isJsonArray);
  return lists.length === 1 ? lists[0]?.length : undefined;
}
