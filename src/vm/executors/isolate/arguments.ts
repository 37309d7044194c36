// The arguments of a guest's call, which may be anything: each is taken as what it must be, or EINVAL.
import { decodeText, KernelError } from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";

export type Arguments = readonly Packed[];

export function text(args: Arguments, at: number): string {
  const value = args[at];
  if (typeof value !== "string") throw new KernelError("EINVAL");
  return value;
}

/** A path: text, or bytes. */
export function path(args: Arguments, at: number): string {
  const value = args[at];
  const name = value instanceof Uint8Array ? decodeText(value) : value;
  if (typeof name !== "string" || name.includes("\0")) throw new KernelError("EINVAL");
  return name;
}

export function int(args: Arguments, at: number): number {
  const value = args[at];
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new KernelError("EINVAL");
  return value;
}

export function number(args: Arguments, at: number): number {
  const value = args[at];
  if (typeof value !== "number" || Number.isNaN(value)) throw new KernelError("EINVAL");
  return value;
}

export function flag(args: Arguments, at: number): boolean {
  return args[at] === true;
}

export function bytes(args: Arguments, at: number): Uint8Array {
  const value = args[at];
  if (!(value instanceof Uint8Array)) throw new KernelError("EINVAL");
  return value;
}

export function list(args: Arguments, at: number): readonly Packed[] {
  const value = args[at];
  if (!Array.isArray(value)) throw new KernelError("EINVAL");
  return value;
}

export function texts(args: Arguments, at: number): string[] {
  return list(args, at).map((_, index, all) => text(all, index));
}

export function record(args: Arguments, at: number): { readonly [name: string]: Packed } {
  const value = args[at];
  if (typeof value !== "object" || value === null) throw new KernelError("EINVAL");
  if (Array.isArray(value) || value instanceof Uint8Array) throw new KernelError("EINVAL");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is left of Packed
  return value as { readonly [name: string]: Packed };
}

/** Something that may be absent. */
export function maybe<Value>(
  take: (args: Arguments, at: number) => Value,
  args: Arguments,
  at: number,
): Value | undefined {
  return args[at] === undefined || args[at] === null ? undefined : take(args, at);
}
