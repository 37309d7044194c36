// Every binding by the name Node's library asks for. Each is made when it is first asked for.

import { asyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import * as base from "./base.ts";
import { blob } from "./blob.ts";
import { blockList } from "./block-list.ts";
import { buffer } from "./buffer.ts";
import { builtins } from "./builtins.ts";
import { caresWrap } from "./cares-wrap.ts";
import { cjsLexer } from "./cjs-lexer.ts";
import { contextify } from "./contextify.ts";
import { credentials } from "./credentials.ts";
import { crypto } from "./crypto.ts";
import { errors } from "./errors.ts";
import { fs } from "./fs.ts";
import { fsDir } from "./fs-dir.ts";
import { fsEventWrap } from "./fs-event-wrap.ts";
import { heapUtils } from "./heap-utils.ts";
import { httpParser } from "./http-parser.ts";
import { http2, streamPipe } from "./http2.ts";
import { icu } from "./icu.ts";
import { ipcSerdes } from "./ipc-serdes.ts";
import { jsStream } from "./js-stream.ts";
import { locks } from "./locks.ts";
import { messaging } from "./messaging.ts";
import { moduleWrap } from "./module-wrap.ts";
import { modules } from "./modules.ts";
import { options } from "./options.ts";
import { os } from "./os.ts";
import { performance } from "./performance.ts";
import { pipeWrap } from "./pipe-wrap.ts";
import { processMethods } from "./process-methods.ts";
import { processWrap } from "./process-wrap.ts";
import { profiler } from "./profiler.ts";
import { report } from "./report.ts";
import { sea } from "./sea.ts";
import { signalWrap } from "./signal-wrap.ts";
import { spawnSync } from "./spawn-sync.ts";
import { streamWrap } from "./stream-wrap.ts";
import { stringDecoder } from "./string-decoder.ts";
import { taskQueue } from "./task-queue.ts";
import { tcpWrap } from "./tcp-wrap.ts";
import { timers } from "./timers.ts";
import { tlsWrap } from "./tls-wrap.ts";
import { ttyWrap } from "./tty-wrap.ts";
import { udpWrap } from "./udp-wrap.ts";
import { url } from "./url.ts";
import { urlPattern } from "./url-pattern.ts";
import { util } from "./util.ts";
import { v8 } from "./v8.ts";
import { wasmWebApi } from "./wasm-web-api.ts";
import { webstorage } from "./webstorage.ts";
import { worker } from "./worker.ts";
import { zlib } from "./zlib.ts";

const makers: Readonly<Record<string, () => Binding>> = {
  block_list: blockList,
  cares_wrap: caresWrap,
  cjs_lexer: cjsLexer,
  crypto,
  fs_dir: fsDir,
  fs_event_wrap: fsEventWrap,
  heap_utils: heapUtils,
  http2,
  http_parser: httpParser,
  js_stream: jsStream,
  locks,
  process_wrap: processWrap,
  profiler,
  sea,
  signal_wrap: signalWrap,
  spawn_sync: spawnSync,
  tcp_wrap: tcpWrap,
  tls_wrap: tlsWrap,
  udp_wrap: udpWrap,
  v8,
  zlib,
  async_context_frame: base.asyncContextFrame,
  async_wrap: asyncWrap,
  blob,
  buffer,
  builtins,
  config: base.config,
  constants: base.constants,
  contextify,
  credentials,
  diagnostics_channel: base.diagnosticsChannel,
  encoding_binding: base.encoding,
  errors,
  fs,
  icu,
  inspector: base.inspector,
  internal_only_v8: base.internalOnlyV8,
  messaging,
  mksnapshot: base.mksnapshot,
  module_wrap: moduleWrap,
  ipc_serdes: ipcSerdes,
  modules,
  options,
  os,
  performance,
  permission: base.permission,
  pipe_wrap: pipeWrap,
  process_methods: processMethods,
  report,
  serdes: base.serdes,
  stream_pipe: streamPipe,
  stream_wrap: streamWrap,
  string_decoder: stringDecoder,
  symbols: base.symbols,
  task_queue: taskQueue,
  timers,
  trace_events: base.traceEvents,
  tty_wrap: ttyWrap,
  types: base.types,
  url,
  url_pattern: urlPattern,
  util,
  uv: base.uv,
  wasm_web_api: wasmWebApi,
  webstorage,
  worker,
};

/** The binding of this name; throws Node's error where there is none. */
export function getInternalBinding(name: string): Binding {
  const make = makers[name];
  if (make === undefined) throw unsupported(name);
  return make();
}

/** For parts of Node that a VM does not have: https, http2, inspector, wasi and the like. */
function unsupported(name: string): Error {
  const error: Error & { code?: string } = new Error(
    `This part of Node.js is not supported in a VM: ${name}`,
  );
  error.code = "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM";
  return error;
}
