/** Checks what a cell asks for. Only the shape: what the VM may have is decided by who serves it. */
import { z } from "zod";
import { CHUNK_BYTES } from "./messages.ts";
import { commandParams } from "./parse-command-request.ts";
import { mountParams } from "./parse-mount-request.ts";
import {
  type BrokerMethod,
  type BrokerMethods,
  COMMAND_CHARACTERS,
  isFolderPath,
} from "./requests.ts";

const count = z.number().int().nonnegative();
const path = z.string().refine(isFolderPath);

const params = {
  listSoftware: z.strictObject({ folder: count, path, from: count }),
  readSoftware: z.strictObject({
    folder: count,
    path,
    offset: count,
    length: count.min(1).max(CHUNK_BYTES),
  }),
  putToolRequest: z.strictObject({ call: count }),
  openToolCall: z.strictObject({
    call: count,
    id: count,
    pid: count,
    command: z.string().max(COMMAND_CHARACTERS),
    audited: count,
  }),
  nextToolEvents: z.strictObject({ call: count }),
  cancelToolCall: z.strictObject({ call: count }),
  ...commandParams,
  ...mountParams,
} as const satisfies { [M in BrokerMethod]: z.ZodType<BrokerMethods[M]["params"]> };

export type BrokerRequest = {
  readonly [M in BrokerMethod]: { readonly method: M; readonly params: BrokerMethods[M]["params"] };
}[BrokerMethod];

/** The request, or undefined when it is none that a cell of ours would make. */
export function parseRequest(method: string, value: unknown): BrokerRequest | undefined {
  if (!isMethod(method)) return undefined;
  const result = params[method].safeParse(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this method has just taken it
  return result.success ? ({ method, params: result.data } as BrokerRequest) : undefined;
}

function isMethod(method: string): method is BrokerMethod {
  return Object.hasOwn(params, method);
}
