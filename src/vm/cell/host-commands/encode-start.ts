import { encodeText, KernelError } from "../../../kernel/index.ts";
import { START_LIMIT_BYTES } from "../../wire/messages.ts";

/** What a process starts with as one body, see command.start. E2BIG. */
export function encodeStart(
  cwd: string,
  argv: readonly string[],
  env: ReadonlyMap<string, string>,
): Uint8Array {
  const texts = [cwd, ...argv];
  for (const [name, value] of env) texts.push(`${name}=${value}`);
  const body = encodeText(`${texts.join("\0")}\0`);
  if (body.length > START_LIMIT_BYTES) throw new KernelError("E2BIG");
  return body;
}
