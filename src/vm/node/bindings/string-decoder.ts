import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const stringDecoder = (): Binding => ({
  ...staticsOf("string_decoder"),
  decode: (state: Uint8Array, bytes: ArrayBufferView) =>
    native["stringDecoderDecode"](state, bytes),
  flush: (state: Uint8Array) => native["stringDecoderFlush"](state),
});
