// What a command for people and the server say to each other, in the headers of frames: a shape for each
// message, from which its type and its check come. Runs on Node 20.
//
// The number of a call is that of its stream, too (streams/stream-table.ts): input and output are data on
// it. A call ends with `result` or `error`, and its stream ends with it, both ways, without a word of its own.
// `stop` and `retire` are called from one build to another: `call`, `result` and `error` stay as they are.
import type { StreamFrame } from "../../streams/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import {
  findWrongField,
  isAnything,
  isCount,
  isFlag,
  isObject,
  isText,
  orMissing,
  type Shape,
  type Shaped,
} from "./shapes.ts";

const streamFrames = {
  data: { stream: isCount, tag: isCount },
  credit: { stream: isCount, bytes: isCount },
  end: { stream: isCount, value: isAnything },
  stop: { stream: isCount },
} as const satisfies { readonly [T in StreamFrame["type"]]: Shape };

const callerMessages = {
  /** `isInputOnDemand`: input is sent a piece at a time, when the method asks for it. */
  call: {
    call: isCount,
    method: isText,
    params: isObject,
    isInputOnDemand: orMissing(isFlag),
  },
  cancel: { call: isCount },
  ...streamFrames,
} as const;

const serverMessages = {
  result: { call: isCount, result: isAnything },
  error: { call: isCount, code: isText, message: isText },
  ...streamFrames,
} as const;

type Messages = { readonly [type: string]: Shape };
type MessageOf<M extends Messages> = {
  [T in keyof M]: { readonly type: T } & Shaped<M[T]>;
}[keyof M];

export type CallerMessage = MessageOf<typeof callerMessages>;
export type ServerMessage = MessageOf<typeof serverMessages>;

/** The peer sent something that is not a message. The connection ends. */
export class MalformedMessage extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedMessage";
  }
}

/** Throws MalformedMessage. */
export function parseCallerMessage(header: FrameHeader): CallerMessage {
  requireMessage(callerMessages, header);
  return header;
}

/** Throws MalformedMessage. */
export function parseServerMessage(header: FrameHeader): ServerMessage {
  requireMessage(serverMessages, header);
  return header;
}

function requireMessage<M extends Messages>(
  messages: M,
  header: FrameHeader,
): asserts header is MessageOf<M> & FrameHeader {
  const { type } = header;
  const shape = isText(type) && Object.hasOwn(messages, type) ? messages[type] : undefined;
  if (shape === undefined)
    throw new MalformedMessage(`There is no message of the type ${JSON.stringify(type)}.`);
  const field = findWrongField(shape, header);
  if (field !== undefined)
    throw new MalformedMessage(`A message of the type "${String(type)}" has a wrong "${field}".`);
}
