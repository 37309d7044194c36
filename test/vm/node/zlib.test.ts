import { describeLikeNode } from "../../support/node-beside.ts";

describeLikeNode("zlib", {
  "every format there and back, at once and as a stream": `
    const zlib = require("node:zlib"); const { pipeline } = require("node:stream/promises"); const { Readable, Writable } = require("node:stream");
    const text = Buffer.from("some text that comes again and again; ".repeat(5000)); const md5 = (bytes) => require("node:crypto").hash("md5", bytes);
    const pairs = [["deflate", "inflate"], ["gzip", "gunzip"], ["deflateRaw", "inflateRaw"], ["brotliCompress", "brotliDecompress"], ["zstdCompress", "zstdDecompress"]];
    const make = (name) => zlib["create" + name[0].toUpperCase() + name.slice(1)]();
    (async () => {
      for (const [pack, unpack] of pairs) {
        const packed = zlib[pack + "Sync"](text); console.log(pack, packed.length, md5(packed), zlib[unpack + "Sync"](packed).equals(text));
        const parts = []; await pipeline(Readable.from([text.subarray(0, 70_000), text.subarray(70_000)]), make(pack), make(unpack), new Writable({ write(chunk, _, done) { parts.push(chunk); done(); } }));
        console.log(Buffer.concat(parts).equals(text), parts.length);
      }
    })();`,
  "says what is wrong with its input": `
    const zlib = require("node:zlib");
    for (const run of [() => zlib.gunzipSync("no"), () => zlib.inflateSync(zlib.deflateSync("abc").subarray(0, 5)), () => zlib.brotliDecompressSync("no"), () => zlib.zstdDecompressSync("no"),
      () => zlib.inflateSync(zlib.deflateSync("a", { dictionary: Buffer.from("d") })), () => zlib.deflateSync("a", { level: 11 }), () => zlib.gunzipSync(zlib.gzipSync(Buffer.alloc(1000)), { maxOutputLength: 10 })])
      try { console.log(run()); } catch (error) { console.log(error.name, error.code, error.errno, error.message); }
    zlib.gunzip(Buffer.from("no"), (error) => console.log(error.code, error.message));`,
  "flushes, parameters, members, checksums": `
    const zlib = require("node:zlib"); const deflate = zlib.createDeflate({ level: 9 }); const parts = []; deflate.on("data", (part) => parts.push(part));
    deflate.write("first"); deflate.flush(() => { console.log(Buffer.concat(parts).toString("hex"));
      deflate.params(0, zlib.constants.Z_DEFAULT_STRATEGY, () => { deflate.end("second"); }); });
    deflate.on("end", () => console.log(zlib.inflateSync(Buffer.concat(parts)).toString(), deflate.bytesWritten));
    console.log(zlib.gunzipSync(Buffer.concat([zlib.gzipSync("a"), zlib.gzipSync("b")])).toString(), zlib.crc32("hello"), zlib.crc32(Buffer.from("lo"), zlib.crc32("hel")));`,
});
