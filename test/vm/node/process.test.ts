import { describeLikeNode } from "../../support/node-beside.ts";

/** Shows how a script given with -e ends. */
const run = `
const { spawnSync } = require("node:child_process");
const run = (...args) => {
  const { status, signal, stdout, stderr } = spawnSync("node", args, { encoding: "utf8", argv0: "node", input: run.input ?? "" });
  console.log(JSON.stringify(args), status, signal, "\\n" + stdout + "---\\n" + stderr.replace(/\\(node:\\d+\\)/g, "(node:pid)").replaceAll(process.cwd(), "."));
};
process.env.PATH = require("path").dirname(process.execPath) + ":" + process.env.PATH;
`;

describeLikeNode("process, its end", {
  "prints errors that nobody catches": `${run}
    for (const script of [
      "throw new Error('boom')", "throw 'x'", "throw null", "throw { a: 1 }", "throw Symbol('s')",
      "function f() { throw Object.assign(new RangeError('r'), { code: 'E' }) }\\nf()",
      "setTimeout(() => { null.x }, 1)", "Promise.reject(new Error('p'))", "Promise.reject('text')",
      "const e = new Error('n'); e.stack = undefined; throw e", "class A extends Error {}; throw new A('a')",
      "process.on('uncaughtException', () => { throw new Error('second') }); throw new Error('first')",
      "process._fatalException = null; throw new Error('m')", "syntax error here",
      "process.on('uncaughtException', (e, o) => console.log(e.message, o)); setImmediate(() => console.log('on')); throw new Error('caught')",
    ]) run("-e", script);`,
  "has Node's exit codes": `${run}
    for (const script of [
      "process.exitCode = 5", "process.exit(6)", "process.exitCode = 7; process.exit()",
      "process.on('exit', (code) => { console.log(code); process.exitCode = 9 })",
      "process.on('exit', () => { process.exitCode = 0 }); throw new Error('e')",
      "process.on('beforeExit', (code) => console.log('before', code))",
      "let n = 0; process.on('beforeExit', () => { if (n++ < 2) setTimeout(() => console.log(n), 1) })",
      "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 1000)",
      "process.on('SIGTERM', (...args) => { console.log(args); process.exit(3) }); process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9000)",
      "process.exit('8')", "process.reallyExit(300)",
    ]) run("-e", script);
    for (const script of ["process.abort()", "await new Promise(() => {})"]) {
      const { status, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
      console.log(status, signal);
    }`,
  "handles rejections as it is told to": `${run}
    for (const mode of ["strict", "warn", "none", "throw", "warn-with-error-code", "wrong"])
      run("--unhandled-rejections=" + mode, "-e", "Promise.reject(new Error('r')); setTimeout(() => console.log('later'), 10)");`,
});

describeLikeNode("process, its start", {
  "refuses options as Node does": `${run}
    run("--no-such-option"); run("-e"); run("--require="); run("--no-max-http-header-size"); run("-c", "-e", "1");
    run("--input-type=x", "-e", "1"); run("--env-file=none", "-e", "1");
    for (const options of ["--version", "--bogus", '"x', "--no-warnings --stack-trace-limit=3"]) {
      process.env.NODE_OPTIONS = options;
      run("-p", "[process.execArgv, Error.stackTraceLimit]");
    }`,
  "evaluates, prints, checks and reads scripts": `${run}
    run("-p", "1 + 1"); run("-pe", "[process.argv.length, process.argv[1]]", "a"); run("-v"); run("--title=t", "-p", "process.title");
    require("fs").writeFileSync("bad.js", "let let"); run("-c", "bad.js"); run("none.js");
    require("fs").writeFileSync(".env", "A=1\\nB=\\"x\\\\ny\\" # c\\nPATH=no"); run("--env-file=.env", "-p", "[process.env.A, process.env.B]");
    run.input = "console.log('in', process.argv[2])"; run("-", "x"); run();
    run.input = "1 + 1\\nfoo\\n"; run("-i");`,
  "runs tasks of package.json": `${run}
    require("fs").writeFileSync("package.json", JSON.stringify({ scripts: { t: "echo $NODE_RUN_SCRIPT_NAME", f: "exit 4", n: 1 } }));
    for (const args of [["t"], ["t", "--", "a b", "it's"], ["f"]]) run("--run", ...args);`,
  "has an environment of texts": `
    const { env } = process;
    env.A = 1; env.B = undefined; env["x=y"] = "no";
    console.log(env.A, env.B, "A" in env, "C" in env, env.C, delete env.A, env.A, env["x=y"], env[Symbol.iterator]);
    for (const run of [
      () => { env[Symbol("s")] = 1; }, () => { env.S = Symbol("s"); }, () => Object.defineProperty(env, "D", { value: 1 }),
      () => Object.defineProperty(env, "D", { get: () => 1 }),
      () => Object.defineProperty(env, "D", { value: "d", writable: true, enumerable: true, configurable: true }).D,
    ]) try { console.log(run()); } catch (error) { console.log(error.name, error.code, error.message); }
    console.log(env.hasOwnProperty("D"), env.hasOwnProperty === Object.prototype.hasOwnProperty, Object.keys(env).includes("D"));
    console.log(String(require("child_process").execSync("echo $D-$B")));`,
});

describeLikeNode("process, its streams", {
  "reads what a pipe and a file hold": `${run}
    const read = "let all = ''; process.stdin.setEncoding('utf8').on('data', (d) => { all += d }).on('end', () => console.log(all.length, process.stdin.isTTY))";
    run.input = "\\u00e4".repeat(100_000); run("-e", read);
    require("fs").writeFileSync("f", "from a file");
    const { status, stdout } = spawnSync("node", ["-e", read], { stdio: [require("fs").openSync("f"), "pipe", "inherit"], encoding: "utf8" });
    console.log(status, stdout);`,
  "writes to a file at once": `
    const fs = require("fs");
    const script = "process.stdout.write('x'.repeat(1_000_000)); process.stderr.write('y'); process.exit()";
    const { status, stderr } = require("child_process").spawnSync(process.execPath, ["-e", script], { stdio: ["ignore", fs.openSync("f", "w"), "pipe"] });
    console.log(status, String(stderr), fs.statSync("f").size);`,
  "hears that nobody reads": `
    const cp = require("child_process");
    const script = "process.stdout.on('error', (e) => { console.error(e.code, e.syscall); process.exit(2) }); setInterval(() => process.stdout.write('x'.repeat(10000)), 1)";
    const child = cp.spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.once("data", () => child.stdout.destroy());
    child.on("exit", (code, signal) => console.log(code, signal));`,
});

describeLikeNode("process, what it uses", {
  "counts its heap and its buffers as resident": `
    const held = Buffer.alloc(20_000_000, 1);
    const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
    console.log(rss > heapUsed + held.length, heapTotal >= heapUsed, external >= held.length, arrayBuffers >= held.length);
    console.log(process.memoryUsage.rss() > held.length, process.resourceUsage().maxRSS * 1024 > held.length);`,
  "frees at once what nobody holds when it is told to": `${run}
    run("--expose-gc", "-e", "const one = new WeakRef({}); setTimeout(() => { gc(); console.log(one.deref()); }, 1)");
    run("--expose-gc", "-e", "let all = Array.from({ length: 1e6 }, () => ({})); gc(); const held = process.memoryUsage().heapUsed; all = undefined; gc(); console.log(held - process.memoryUsage().heapUsed > 10e6)");
    run("--expose-gc", "-e", "gc({ execution: 'async' }).then(console.log); console.log(gc({ type: 'minor' }))");
    run("-p", "typeof gc");`,
});
