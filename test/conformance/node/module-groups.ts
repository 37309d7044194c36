// Which builtin module a file of Node's test/parallel is about, told by its name.

interface Group {
  readonly module: string;
  /** Matches the name without `test-`; the first group that matches has it. */
  readonly names: RegExp;
}

const groups: readonly Group[] = [
  { module: "fs", names: /^(fs|filehandle|fastutf8stream)\b/ },
  { module: "path", names: /^path\b/ },
  { module: "stream", names: /^(streams?\d?|readable|writable|duplex|transform)\b/ },
  { module: "events", names: /^(events?|eventtarget|eventemitter)\b/ },
  { module: "buffer", names: /^(buffer|blob|file|btoa-atob)\b/ },
  { module: "url", names: /^(url|whatwg-url|urlpattern)\b/ },
  {
    module: "util",
    names: /^(util|whatwg-encoding|mime|parse-args|inspect-async|stringbytes)\b/,
  },
  { module: "child_process", names: /^child-process\b/ },
  { module: "zlib", names: /^zlib\b/ },
  { module: "webcrypto", names: /^webcrypto\b/ },
  { module: "crypto", names: /^crypto\b/ },
  { module: "http", names: /^(http(?![\d])|outgoing)\b/ },
  { module: "net", names: /^(net|tcp|socket|listen|blocklist)\b/ },
  { module: "dns", names: /^(dns|c-ares)\b/ },
  { module: "dgram", names: /^dgram\b/ },
  { module: "readline", names: /^readline\b/ },
  {
    module: "timers",
    names: /^(timers?|set(timeout|immediate|interval)|next-tick|microtask|queue-microtask)\b/,
  },
  {
    module: "process",
    names:
      /^(process|signal|exception|uncaught|unhandled|promises?|warn|emit-after|umask|cwd|env-var)\b/,
  },
  { module: "stdio", names: /^(stdin|stdout|stderr|stdio|tty|ttywrap|pipe)\b/ },
  { module: "assert", names: /^assert\b/ },
  {
    module: "module",
    names: /^(module|modules|require|esm|find-package-json|import|source-map|cjs|dynamic-import)\b/,
  },
  { module: "vm", names: /^vm\b/ },
  { module: "v8", names: /^v8\b/ },
  { module: "worker_threads", names: /^(worker|messageport|messagechannel|broadcastchannel)\b/ },
  { module: "async_hooks", names: /^(async|asyncresource|als|asynclocalstorage)\b/ },
  { module: "diagnostics_channel", names: /^diagnostics-channel\b/ },
  { module: "querystring", names: /^querystring\b/ },
  { module: "string_decoder", names: /^string-decoder\b/ },
  { module: "os", names: /^os\b/ },
  { module: "console", names: /^console\b/ },
  { module: "perf_hooks", names: /^(perf|performance\w*)\b/ },
  {
    module: "web",
    names:
      /^(whatwg|webstreams?|compression|fetch|websocket|eventsource|abort\w*|structured\w*|messaging|headers|global|domexception|web-locks)\b/,
  },
  { module: "test", names: /^(runner|mock)\b/ },
  { module: "sqlite", names: /^sqlite\b/ },
  { module: "errors", names: /^(errors?|eval|throw)\b/ },
  { module: "node (command line)", names: /^(cli|dotenv|preload|npm|node-run)\b/ },
];

/** The modules, in the order of the table. */
export const modules: readonly string[] = groups.map(({ module }) => module);

/** Undefined where it is about none of ours: domain, repl, inspector… */
export function findModule(file: string): string | undefined {
  const name = file.replace(/^test-/, "").replace(/\.[cm]?js$/, "");
  return groups.find(({ names }) => names.test(name))?.module;
}
