/** node:ffi, as far as it is used here: it has no types yet, and exists from Node 26.1 on. */
export interface Ffi {
  readonly DynamicLibrary: new (
    path: null,
  ) => {
    getFunctions<Definitions extends Readonly<Record<string, Definition>>>(
      definitions: Definitions,
    ): { readonly [Name in keyof Definitions]: NativeFunction<Definitions[Name]> };
    getSymbol(name: string): bigint;
  };
  getRawPointer(source: Uint8Array): bigint;
  toArrayBuffer(address: bigint, length: number, copy: boolean): ArrayBuffer;
}

type Word = "int32" | "int64" | "uint64" | "pointer";

interface Definition {
  readonly arguments: readonly Word[];
  readonly return: Word;
}

type NativeFunction<Of extends Definition> = (
  ...args: Values<Of["arguments"]>
) => Value<Of["return"]>;

type Values<Words extends readonly Word[]> = {
  -readonly [Index in keyof Words]: Value<Words[Index]>;
};

type Value<Of> = Of extends "int32" ? number : bigint;

export function findFfi(): Ffi | undefined {
  const load: (id: string) => unknown = process.getBuiltinModule.bind(process);
  const found = load("node:ffi");
  return isFfi(found) ? found : undefined;
}

function isFfi(value: unknown): value is Ffi {
  return (
    typeof value === "object" &&
    value !== null &&
    "DynamicLibrary" in value &&
    "getRawPointer" in value
  );
}
