// Every call a guest process can make.
import { KernelError } from "../../../../kernel/index.ts";
import type { Calls, Handler } from "../guest.ts";
import { childCalls } from "./children.ts";
import { copyTreeCalls } from "./copy-tree.ts";
import { cryptoCalls } from "./crypto/crypto-calls.ts";
import { directoryCalls } from "./directories.ts";
import { dnsCalls } from "./dns.ts";
import { fileAttributeCalls } from "./file-attributes.ts";
import { fileNameCalls } from "./file-names.ts";
import { fileWatchCalls } from "./file-watches.ts";
import { fileCalls } from "./files.ts";
import { hostNameCalls } from "./host-names.ts";
import { httpCalls } from "./http.ts";
import { identityCalls } from "./identity.ts";
import { portCalls } from "./ports.ts";
import { processCalls } from "./processes.ts";
import { signalCalls } from "./signals.ts";
import { socketCalls } from "./sockets.ts";
import { streamCalls } from "./streams.ts";
import { systemCalls } from "./system.ts";
import { terminalCalls } from "./terminals.ts";
import { threadCalls } from "./threads.ts";
import { typescriptCalls } from "./typescript.ts";
import { urlPatternCalls } from "./url-patterns.ts";
import { urlCalls } from "./urls.ts";
import { zlibCalls } from "./zlib.ts";

const families: readonly Calls[] = [
  childCalls,
  fileCalls,
  copyTreeCalls,
  cryptoCalls,
  directoryCalls,
  dnsCalls,
  fileAttributeCalls,
  fileNameCalls,
  fileWatchCalls,
  hostNameCalls,
  httpCalls,
  identityCalls,
  portCalls,
  processCalls,
  signalCalls,
  socketCalls,
  streamCalls,
  systemCalls,
  terminalCalls,
  threadCalls,
  typescriptCalls,
  urlCalls,
  urlPatternCalls,
  zlibCalls,
];

const calls: ReadonlyMap<string, Handler> = new Map(
  families.flatMap((family) => Object.entries(family)),
);

/** Every call that there is. */
export const callNames: readonly string[] = [...calls.keys()];

/** The handler of a call; ENOSYS where there is none. */
export function findCall(name: string): Handler {
  const handler = calls.get(name);
  if (handler === undefined) throw new KernelError("ENOSYS", name);
  return handler;
}
