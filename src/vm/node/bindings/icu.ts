import { call } from "../channel.ts";
import { lateAll } from "../late.ts";
import type { Binding } from "./base.ts";

export const icu = (): Binding => ({
  icuErrName: (number: number) => `U_ERROR_${number}`,
  hasConverter: (name: string) => call("hasEncoding", name),
  transcode: (bytes: Uint8Array, from: string, to: string) => call("transcode", bytes, from, to),
  ...lateAll(["getConverter", "decode"]),
  getStringWidth,
});

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const none = /\p{Mn}|\p{Me}|\p{Cf}|\p{Cc}/u;

/** Columns of a terminal that the text takes. */
function getStringWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (none.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}
