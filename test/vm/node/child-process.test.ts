import { describeLikeNode } from "../../support/node-beside.ts";

const start = `
const cp = require("node:child_process");
const watch = (name, child) => new Promise((resolve) => {
  const events = [];
  const said = { stdout: "", stderr: "" };
  for (const event of ["spawn", "exit"]) child.on(event, (...args) => events.push([event, ...args]));
  for (const kind of ["stdout", "stderr"]) child[kind]?.setEncoding("utf8").on("data", (data) => { said[kind] += data; });
  child.on("error", (error) => events.push([error.message, error.code, error.syscall, error.path, error.spawnargs]));
  child.on("close", (...args) => { console.log(name, ...events, "close", ...args, said); resolve(); });
});
`;

describeLikeNode("child_process, running to an end", {
  "gives output, status and signal": `${start}
    const show = ({ status, signal, stdout, stderr, output, error }) =>
      console.log(status, signal, String(stdout), String(stderr), output?.length, error?.message, error?.code);
    show(cp.spawnSync("sh", ["-c", "echo out; echo err >&2; exit 3"]));
    show(cp.spawnSync("sh", ["-c", "kill -9 $$"]));
    console.log(Object.keys(cp.spawnSync("true")), Object.keys(cp.spawnSync("no-such-program")));
    show(cp.spawnSync("cat", { input: "from above" }));
    show(cp.spawnSync("no-such-program"));
    show(cp.spawnSync("echo", { cwd: "no-such-directory" }));
    show(cp.spawnSync("sleep", ["20"], { timeout: 50 }));
    show(cp.spawnSync("sleep", ["20"], { timeout: 50, killSignal: "SIGKILL" }));
    show(cp.spawnSync("sh", ["-c", "echo $A-$B"], { env: { ...process.env, A: "1", B: "\\u00e4" } }));
    const many = cp.spawnSync("sh", ["-c", "while :; do echo 0123456789; done"], { maxBuffer: 100 });
    console.log(many.error.code, many.signal, many.stdout.length >= 100);`,
  "throws what execSync throws": `${start}
    console.log(String(cp.execSync("echo $((1+1)) | cat")));
    try { cp.execSync("echo said; exit 4", { stdio: "pipe" }); }
    catch (error) { console.log(error.message, error.status, String(error.stdout)); }
    try { cp.execFileSync("cat", ["none"], { stdio: "pipe" }); }
    catch (error) { console.log(error.status, error.message.split("\\n")[0]); }
    console.log(cp.execFileSync("sh", ["-c", "cat; cat <&3"], { input: "a", stdio: ["pipe", "pipe", "inherit", require("fs").openSync(__filename)] }).length);`,
  "runs a script without an interpreter line": `${start}
    require("fs").writeFileSync("s", "echo script $1", { mode: 0o755 });
    console.log(String(cp.execFileSync("./s", ["x"])));
    require("fs").chmodSync("s", 0o644);
    try { cp.execFileSync("./s"); } catch (error) { console.log(error.message, error.errno); }`,
});

describeLikeNode("child_process, beside the parent", {
  "streams and ends": `${start}
    (async () => {
      const a = cp.spawn("sh", ["-c", "cat; echo err >&2; exit 3"]);
      a.stdin.end("hello");
      await watch("a", a);
      await watch("b", cp.spawn("no-such-program", ["x"]));
      const c = cp.spawn("sleep", ["20"]);
      const ended = watch("c", c);
      console.log(c.kill(), c.killed);
      await ended;
      console.log(c.kill(), c.exitCode, c.signalCode);
      await watch("d", cp.spawn("sh", ["-c", "echo to you >&3; cat <&4"], { stdio: ["ignore", "pipe", "inherit", 1, require("fs").openSync(__filename)] }));
    })();`,
  "takes much and gives much": `${start}
    const child = cp.spawn("cat");
    let length = 0;
    child.stdout.on("data", (data) => { length += data.length; }).on("end", () => console.log(length));
    for (let count = 0; count < 40; count += 1) child.stdin.write(Buffer.alloc(50_000, "x"));
    child.stdin.end();`,
  "is broken off by a signal or a timeout": `${start}
    (async () => {
      const controller = new AbortController();
      const a = cp.spawn("sleep", ["20"], { signal: controller.signal });
      const ended = watch("a", a);
      controller.abort();
      await ended;
      cp.exec("sleep 20", { timeout: 30 }, (error) => {
        console.log(error.killed, error.signal, error.code);
        cp.exec("echo 1; exit 2", (failure, stdout) => console.log(failure.code, failure.message, stdout));
      });
    })();`,
  "talks to a fork": `
    const cp = require("node:child_process");
    if (process.argv[2] === "child") {
      process.on("message", (message) => {
        process.send({ got: message, is: process.connected }, () => {
          if (message === "go") process.disconnect();
        });
      });
      process.on("disconnect", () => { process.exitCode = 5; });
    } else {
      const talk = (serialization) => new Promise((resolve) => {
        const child = cp.fork(__filename, ["child"], { serialization });
        child.on("message", (message) => console.log(serialization, message));
        // Node tells of the two in either order.
        const gone = new Promise((tell) => child.on("disconnect", () => tell(child.connected)));
        const closed = new Promise((tell) => child.on("close", tell));
        Promise.all([gone, closed]).then((both) => { console.log(both); resolve(); });
        child.send({ a: [1, null, "\\u00e4"], d: serialization === "json" ? 0 : new Map([[1, Buffer.from("b")]]) });
        child.send("go");
      });
      talk("json").then(() => talk("advanced"));
    }`,
  "does not wait for what is unref'd": `${start}
    const child = cp.spawn("sleep", ["20"], { stdio: "ignore", detached: true });
    child.unref();
    process.on("exit", () => { console.log("parent ends"); process.kill(-child.pid, "SIGKILL"); });`,
});
