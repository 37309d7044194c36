// The arrays that stat and statfs answer in: shared ones, or for promises one each.
import { staticsOf } from "../../statics.ts";
import type { Any } from "./operation.ts";

const values = staticsOf("fs");
export const statValues: Float64Array = values["statValues"];
export const bigintStatValues: BigInt64Array = values["bigintStatValues"];
export const statFsValues: Float64Array = values["statFsValues"];
export const bigintStatFsValues: BigInt64Array = values["bigintStatFsValues"];
/** Fields of one stat; the shared arrays hold two, for watchers. */
export const STAT_FIELDS: number = values["kFsStatsFieldsNumber"];

/** The kernel's doubles, which may lie at any byte. */
const aligned = new Uint8Array(STAT_FIELDS * 8);
const doubles = new Float64Array(aligned.buffer);

/** Puts a state into the shared array, as node::FillGlobalStatsArray. */
export function fillStats(bytes: Uint8Array, isBigint: boolean, at = 0): Any {
  aligned.set(bytes);
  if (!isBigint) {
    statValues.set(doubles, at);
    return statValues;
  }
  for (let index = 0; index < STAT_FIELDS; index += 1) {
    bigintStatValues[at + index] = BigInt(doubles[index] ?? 0);
  }
  return bigintStatValues;
}

export function freshStats(bytes: Uint8Array, isBigint: boolean): Any {
  const from = new Float64Array(bytes.slice().buffer);
  return isBigint ? BigInt64Array.from(from, (value) => BigInt(value)) : from;
}

export function fillStatFs(bytes: Uint8Array, isBigint: boolean): Any {
  const from = new Float64Array(bytes.slice().buffer);
  if (!isBigint) {
    statFsValues.set(from);
    return statFsValues;
  }
  for (const [index, value] of from.entries()) bigintStatFsValues[index] = BigInt(value);
  return bigintStatFsValues;
}
