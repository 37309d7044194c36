import { describeLikeNode } from "../../support/node-beside.ts";

const start = `
const http = require("node:http");
const net = require("node:net");
const serve = (handle, then) => { const server = http.createServer(handle); server.listen(0, "127.0.0.1", () => then(server.address().port, server)); };
const raw = (port, text) => new Promise((resolve) => {
  const socket = net.connect(port, "127.0.0.1");
  let said = "";
  socket.setEncoding("latin1").on("data", (data) => { said += data; }).on("close", () => resolve(said.replace(/Date: .*\\r\\n/, "")));
  socket.on("error", () => undefined).end(text);
});
`;

describeLikeNode("http", {
  "answers requests with bodies, trailers and many headers": `${start}
    serve((request, response) => {
      const parts = [];
      request.on("data", (data) => parts.push(data)).on("end", () => {
        const many = request.rawHeaders.filter((one) => one.startsWith("x-many-")).length;
        console.log(request.method, request.url, request.httpVersion, request.headers["x-text"], many, String(Buffer.concat(parts)), request.trailers);
        response.writeHead(201, "Made", { "X-One": ["a", "b"], Trailer: "x-end" });
        response.write("first ");
        response.addTrailers({ "x-end": "yes" });
        response.end("last");
      });
    }, (port, server) => {
      const headers = { "x-text": "t", Trailer: "x-after" };
      for (let index = 0; index < 70; index += 1) headers["x-many-" + index] = "v";
      const request = http.request({ port, method: "POST", path: "/p?q=%20", headers }, (response) => {
        console.log(response.statusCode, response.statusMessage, response.headers["x-one"]);
        response.setEncoding("utf8").on("data", (data) => console.log(data)).on("end", () => { console.log(response.trailers); server.close(); });
      });
      request.write("a".repeat(10));
      request.addTrailers({ "x-after": "1" });
      request.end("b");
    });`,
  "refuses what is no HTTP, as llhttp does": `${start}
    serve((request, response) => response.end("ok"), async (port, server) => {
      server.on("clientError", (error, socket) => {
        console.log(error.code, error.reason, error.bytesParsed, error.message);
        socket.end("HTTP/1.1 400 Bad Request\\r\\n\\r\\n");
      });
      for (const text of [
        "hello\\r\\n\\r\\n",
        "GET / HTTP/9.9\\r\\n\\r\\n",
        "GET / HTTP/1.1\\r\\nHost: a\\r\\nBad Header: x\\r\\n\\r\\n",
        "GET / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n",
        "POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nzz\\r\\n",
        "POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1;" + "e".repeat(20_000) + "\\r\\na\\r\\n",
        "GET / HTTP/1.1\\r\\nHost: a\\r\\nLong: " + "x".repeat(20_000) + "\\r\\n\\r\\n",
        "GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n",
      ]) console.log(await raw(port, text));
      server.close();
    });`,
  "answers pipelined requests in their order, and keeps connections": `${start}
    let count = 0;
    serve((request, response) => { count += 1; setTimeout(() => response.end(request.url), count === 1 ? 30 : 0); }, async (port, server) => {
      const one = (path, last) => "GET " + path + " HTTP/1.1\\r\\nHost: a\\r\\n" + (last ? "Connection: close\\r\\n" : "") + "\\r\\n";
      console.log(await raw(port, one("/1") + one("/2") + one("/3", true)));
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (let index = 0; index < 3; index += 1) {
        await new Promise((resolve) => http.get({ port, agent, path: "/" + index }, (response) => {
          console.log(response.headers.connection, response.req.reusedSocket);
          response.resume().on("end", () => setImmediate(resolve));
        }));
      }
      agent.destroy();
      server.close();
    });`,
  upgrades: `${start}
    serve(() => undefined, (port, server) => {
      server.on("upgrade", (request, socket, head) => {
        console.log(request.headers.upgrade, String(head));
        socket.end("HTTP/1.1 101 Switching\\r\\nUpgrade: own\\r\\nConnection: Upgrade\\r\\n\\r\\nrest");
      });
      const request = http.get({ port, headers: { Connection: "Upgrade", Upgrade: "own" } });
      request.on("upgrade", (response, socket, head) => {
        console.log(response.statusCode, response.statusMessage, String(head));
        socket.on("data", (data) => console.log(String(data))).on("end", () => server.close());
      });
    });`,
  "fetches, with bodies, streams, redirects and compression": `${start}
    const zlib = require("node:zlib");
    serve((request, response) => {
      if (request.url === "/go") { response.writeHead(302, { Location: "/there" }).end(); return; }
      if (request.url === "/zip") { response.setHeader("Content-Encoding", "gzip"); response.end(zlib.gzipSync("zipped")); return; }
      request.pipe(response);
    }, async (port, server) => {
      const at = "http://127.0.0.1:" + port;
      const go = await fetch(at + "/go");
      console.log(go.status, go.redirected, go.url.slice(at.length));
      console.log(await (await fetch(at + "/zip")).text());
      console.log(await (await fetch(at, { method: "POST", body: JSON.stringify({ a: "\\u00fc" }) })).json());
      const form = new FormData();
      form.set("a", "b");
      console.log((await (await fetch(at, { method: "POST", body: form })).text()).includes('name="a"'));
      const stop = new AbortController();
      const slow = fetch(at + "/", { method: "POST", duplex: "half", body: new ReadableStream({}), signal: stop.signal });
      stop.abort();
      await slow.catch((error) => console.log(error.name));
      await fetch("http://127.0.0.1:1/").catch((error) => console.log(error.message, error.cause.code));
      server.close();
      server.closeAllConnections();
    });`,
});

describeLikeNode("dns", {
  "looks up literals and the machine itself": `
    const dns = require("node:dns");
    (async () => {
      console.log(await dns.promises.lookup("127.0.0.1"), await dns.promises.lookup("::1", { all: true }));
      console.log(await dns.promises.lookup("localhost", { family: 4 }));
      console.log(await dns.promises.lookup("").catch((error) => error.code));
      console.log(await dns.promises.lookup("no-such.invalid").catch((error) => [error.syscall, error.hostname]));
      const resolver = new dns.Resolver();
      resolver.setServers(["127.0.0.1:5353", "[::1]:53"]);
      console.log(resolver.getServers());
    })();`,
  "asks a name server": `
    const dns = require("node:dns");
    const server = require("node:dgram").createSocket("udp4");
    server.on("message", (question, { port, address }) => {
      const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 1, 2, 3, 4]);
      const head = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5));
      head[2] = 0x81;
      head[7] = head[13] === 0x6e ? 0 : 1;
      head[3] = head[13] === 0x6e ? 3 : 0;
      head[11] = 0;
      server.send(head[7] === 0 ? head : Buffer.concat([head, answer]), port, address);
    });
    server.bind(0, "127.0.0.1", async () => {
      const resolver = new dns.promises.Resolver();
      resolver.setServers(["127.0.0.1:" + server.address().port]);
      console.log(await resolver.resolve4("a.test", { ttl: true }), await resolver.resolveAny("a.test"));
      console.log(await resolver.resolve4("none.test").catch((error) => [error.message, error.code]));
      console.log(await resolver.resolveMx("a.test").catch((error) => error.code));
      server.close();
    });`,
});
