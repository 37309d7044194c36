import { describeLikeNode } from "../../support/node-beside.ts";

/** Shows an error with all that programs look at. */
const show = `
const fs = require("node:fs");
const show = (error) => console.log(error.name, error.message, JSON.stringify({ ...error }));
const tried = (run) => { try { console.log(run()); } catch (error) { show(error); } };
`;

describeLikeNode("fs, waiting", {
  "reads, writes and appends": `${show}
    fs.writeFileSync("a", "hell\\u00f6 \\u{1f404}");
    fs.appendFileSync("a", Buffer.from([0xff, 0x41]));
    console.log(fs.readFileSync("a"), fs.readFileSync("a", "utf8"), fs.readFileSync("a", "latin1"));
    const fd = fs.openSync("a", "r+");
    console.log(fs.writeSync(fd, "J", 0), fs.writeSync(fd, Buffer.from("xyz"), 1, 2, 3n === 3n ? 2 : 0));
    const into = Buffer.alloc(8, "-");
    console.log(fs.readSync(fd, into, 2, 4, 1n), String(into), fs.readSync(fd, [].concat(into)[0]));
    console.log(fs.readvSync(fd, [Buffer.alloc(2), Buffer.alloc(3)], 0), fs.writevSync(fd, [into, into]));
    fs.ftruncateSync(fd, 5); fs.fsyncSync(fd); fs.fdatasyncSync(fd); fs.closeSync(fd);
    console.log(fs.statSync("a").size);
    fs.truncateSync("a", 2);
    console.log(fs.readFileSync("a", "hex"));`,
  "says what failed": `${show}
    fs.mkdirSync("d"); fs.writeFileSync("f", "");
    for (const run of [
      () => fs.readFileSync("none"), () => fs.readFileSync("none", "utf8"), () => fs.readFileSync("d", "utf8"),
      () => fs.openSync("none/x", "w"), () => fs.openSync("f/x"), () => fs.openSync("f", "wx"),
      () => fs.mkdirSync("d"), () => fs.mkdirSync("f/x", { recursive: true }), () => fs.mkdirSync("f", { recursive: true }),
      () => fs.rmdirSync("f"), () => fs.unlinkSync("d"), () => fs.renameSync("none", "x"), () => fs.linkSync("none", "x"),
      () => fs.symlinkSync("x", "f"), () => fs.readlinkSync("f"), 
      () => fs.realpathSync.native("none"), () => fs.readdirSync("none"), () => fs.readdirSync("f"),
      () => fs.opendirSync("none"), () => fs.statSync("none"), () => fs.lstatSync("f/x"), () => fs.fstatSync(9999),
      () => fs.statSync("none", { throwIfNoEntry: false }), () => fs.accessSync("none"), () => fs.accessSync("f", fs.constants.X_OK),
      () => fs.accessSync("f", 99), () => fs.chmodSync("none", 0o600), () => fs.chownSync("none", 1, 1), () => fs.chownSync("f", 0, 0),
      () => fs.utimesSync("none", 1, 1), () => fs.closeSync(9999), () => fs.closeSync(-1), () => fs.closeSync("x"),
      () => fs.readSync(9999, Buffer.alloc(1)), () => fs.writeSync(9999, "x"), () => fs.copyFileSync("none", "x"),
      () => fs.copyFileSync("d", "x"), () => fs.copyFileSync("f", "d"), () => fs.copyFileSync("f", "f2", fs.constants.COPYFILE_FICLONE_FORCE),
      () => fs.mkdtempSync("none/x"), () => fs.rmSync("none"), () => fs.rmSync("d"), () => fs.rmSync("none", { force: true }),
      () => fs.cpSync("none", "x"), () => fs.cpSync("d", "x"), () => fs.cpSync("d", "d/e", { recursive: true }),
      () => fs.cpSync("d", "f", { recursive: true }), () => fs.statfsSync("none"), () => fs.writeFileSync("d", "x"),
      () => fs.openSync("a\\0b"), () => fs.writeFileSync("/dev/full", "x"), () => fs.readSync(fs.openSync("f", "w"), Buffer.alloc(1)),
    ]) tried(run);`,
  "makes, moves and removes names": `${show}
    console.log(fs.mkdirSync("a/b/c", { recursive: true }), fs.mkdirSync("a/b/c", { recursive: true }));
    fs.writeFileSync("a/f", "1"); fs.symlinkSync("f", "a/l"); fs.symlinkSync("b", "a/ld"); fs.linkSync("a/f", "a/h");
    console.log(fs.readdirSync("a"), fs.readdirSync("a", { withFileTypes: true }).map((e) => [e.name, e.isSymbolicLink(), e.parentPath]));
    console.log(fs.readdirSync("a", { recursive: true }), fs.readdirSync("a", "buffer"), fs.readdirSync(Buffer.from("a"), "hex"));
    console.log(fs.readlinkSync("a/l"), fs.readlinkSync("a/l", "buffer"), fs.statSync("a/f").nlink, fs.lstatSync("a/l").isSymbolicLink());
    fs.renameSync("a/f", "a/g"); fs.copyFileSync("a/h", "a/copy", fs.constants.COPYFILE_EXCL);
    console.log(fs.existsSync("a/f"), fs.readFileSync("a/copy", "utf8"));
    fs.cpSync("a", "t", { recursive: true, verbatimSymlinks: true });
    console.log(fs.readdirSync("t", { recursive: true }), fs.readlinkSync("t/ld"));
    const d = fs.mkdtempSync("tmp-"); console.log(/^tmp-[A-Za-z0-9]{6}$/.test(d), (fs.statSync(d).mode & 0o777).toString(8));
    const dir = fs.opendirSync("a"); const seen = []; for (let e; (e = dir.readSync()) !== null;) seen.push(e.name); dir.closeSync();
    console.log(seen.sort()); fs.rmSync("a", { recursive: true }); console.log(fs.existsSync("a"));
    const odd = Buffer.from([0x6f, 0xff, 0x64]); fs.writeFileSync(odd, "odd");
    console.log(fs.readdirSync(".", "buffer").some((name) => name.equals(odd)), fs.readFileSync(odd, "utf8"));`,
  "keeps modes and times": `${show}
    fs.writeFileSync("f", "x", { mode: 0o640 }); const mode = () => (fs.statSync("f").mode & 0o7777).toString(8);
    console.log(mode()); fs.chmodSync("f", 0o604); console.log(mode());
    const fd = fs.openSync("f", "r+"); fs.fchmodSync(fd, 0o611); console.log(mode());
    fs.utimesSync("f", 1234.5, new Date(99e9)); let s = fs.statSync("f"); console.log(s.atimeMs, s.mtimeMs, s.mtime);
    fs.futimesSync(fd, 3, "5"); s = fs.fstatSync(fd, { bigint: true }); console.log(s.atimeNs, s.mtimeNs, s.size, typeof s.ino);
    fs.symlinkSync("f", "l"); fs.lutimesSync("l", 7, 8); console.log(fs.lstatSync("l").mtimeMs, fs.statSync("l").mtimeMs);
    console.log(Object.keys(fs.statSync("f")).join(), Object.keys(fs.statfsSync(".")).join(), typeof fs.statfsSync(".", { bigint: true }).bfree);`,
});

describeLikeNode("fs, later", {
  "calls back": `${show}
    const log = (name) => (error, ...rest) => { console.log(name, error, ...rest.filter((x) => typeof x !== "object")); next(); };
    const steps = [
      (cb) => fs.mkdir("a/b", { recursive: true }, cb), (cb) => fs.writeFile("a/f", "text", cb), (cb) => fs.readFile("a/f", "utf8", cb),
      (cb) => fs.readFile("none", cb), (cb) => fs.readFile("a", cb), (cb) => fs.access("none", cb), (cb) => fs.stat("none", cb),
      (cb) => fs.rename("none", "x", cb), (cb) => fs.copyFile("a/f", "a/g", cb), (cb) => fs.appendFile("a/g", "more", cb),
      (cb) => fs.rm("a/g", cb), (cb) => fs.rm("none", cb), (cb) => fs.realpath.native("none", cb), (cb) => fs.close(9999, cb),
      (cb) => fs.readlink("a/f", cb), (cb) => fs.exists("a/f", (is) => cb(null, is)), (cb) => fs.rm("a", { recursive: true }, cb),
    ];
    const next = () => steps.shift()?.(log(steps.length));
    next();`,
  "keeps its promises": `
    const fs = require("node:fs"), { promises } = fs;
    (async () => {
      const handle = await promises.open("f", "w+");
      console.log((await handle.write("hello")).bytesWritten, (await handle.stat()).size, (await handle.stat({ bigint: true })).size);
      console.log(String((await handle.read({ position: 1 })).buffer.subarray(0, 4)), await handle.readFile({ encoding: "utf8" }));
      await handle.truncate(2); await handle.sync(); await handle.close(); await handle.close().catch((error) => console.log(error.message));
      console.log(handle.fd, await promises.readFile("f", "latin1"));
      for (const name of ["access", "stat", "readFile", "readdir", "unlink", "rmdir", "readlink", "realpath", "opendir"]) {
        await promises[name]("none/x").then(console.log, (error) => console.log(name, error.message, error.code, error.syscall));
      }
      await promises.cp("f", "g"); await promises.mkdir("d/e", { recursive: true }); await promises.cp("d", "d2", { recursive: true });
      console.log(await promises.readdir(".", { recursive: true }));
      for await (const entry of await promises.opendir("d")) console.log(entry.name, entry.isDirectory());
      for await (const line of (await promises.open("g")).readLines()) console.log(line);
      console.log(await (await fs.openAsBlob("g")).text(), (await promises.statfs(".")).bsize > 0);
    })();`,
  streams: `
    const fs = require("node:fs"), { pipeline } = require("node:stream/promises");
    (async () => {
      const big = Buffer.alloc(300_000, "0123456789");
      const out = fs.createWriteStream("big"); out.write(big); out.end(big); await require("node:events").once(out, "finish");
      await pipeline(fs.createReadStream("big", { start: 5, end: 499_999, highWaterMark: 7777 }), fs.createWriteStream("part"));
      console.log(fs.statSync("part").size, fs.readFileSync("part", "utf8", 0).slice(0, 12), fs.readFileSync("part").equals(fs.readFileSync("big").subarray(5, 500_000)));
      fs.createReadStream("none").on("error", (error) => console.log(error.message));
    })();`,
  "watches a tree": `
    const fs = require("node:fs"); fs.mkdirSync("w/a/b", { recursive: true }); fs.writeFileSync("w/a/b/old", "");
    const steps = [
      ["a/b/new", () => fs.writeFileSync("w/a/b/new", "x")],
      ["c", () => fs.mkdirSync("w/c")],
      ["c/d", () => fs.mkdirSync("w/c/d")],
      ["c/d/deep", () => fs.writeFileSync("w/c/d/deep", "x")],
      ["a/b/old", () => fs.rmSync("w/a/b/old")],
    ];
    const watcher = fs.watch("w", { recursive: true }, (event, name) => {
      if (name !== steps[0]?.[0]) return;
      console.log(event, name); steps.shift(); next();
    });
    const next = () => (steps.length === 0 ? watcher.close() : setTimeout(steps[0][1], 50));
    watcher.once("close", async () => {
      const abort = new AbortController();
      setTimeout(() => fs.writeFileSync("w/a/b/last", "x"), 100);
      try {
        for await (const { eventType, filename } of fs.promises.watch("w", { recursive: true, signal: abort.signal })) { console.log(eventType, filename); abort.abort(); }
      } catch (error) { console.log(error.name); }
    });
    next();`,
  "watches a tree of a thousand entries, and one file twice": `
    const fs = require("node:fs");
    for (let i = 0; i < 40; i++) { fs.mkdirSync("w/" + i, { recursive: true }); for (let j = 0; j < 25; j++) fs.writeFileSync("w/" + i + "/" + j, ""); }
    const watcher = fs.watch("w", { recursive: true }, (event, name) => {
      if (name !== "39/24") return;
      watcher.close(); console.log(event, name);
      const one = fs.watch("w/0/0", (event, name) => { one.close(); console.log("one", event, name); fs.appendFileSync("w/0/0", "y"); });
      const other = fs.watch("w/0/0").once("change", (event, name) => { console.log("other", event, name); other.once("change", () => { other.close(); console.log("again"); }); });
      fs.watch("w/0/1", { persistent: false }, () => console.log("never"));
      fs.appendFileSync("w/0/0", "x");
    });
    setTimeout(() => fs.appendFileSync("w/39/24", "x"), 300);`,
  watches: `
    const fs = require("node:fs"); fs.mkdirSync("w"); fs.writeFileSync("w/old", "");
    const seen = new Set();
    const watcher = fs.watch("w", (event, name) => {
      seen.add(event + " " + name);
      if (!seen.has("rename gone")) return;
      watcher.close(); console.log([...seen].filter((line) => line !== "change new").sort());
    });
    fs.writeFileSync("w/new", "x"); fs.appendFileSync("w/old", "y"); fs.renameSync("w/new", "w/gone");
    fs.watchFile("w/old", { interval: 20 }, (now, before) => {
      fs.unwatchFile("w/old"); console.log(now.size, before.size);
    });
    setTimeout(() => fs.appendFileSync("w/old", "more"), 200);`,
});
