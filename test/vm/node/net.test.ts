import { describeLikeNode } from "../../support/node-beside.ts";

const start = `
const net = require("node:net");
const once = require("node:events").once;
const failure = (error) => [error.message.replace(/:\\d+$/, ""), error.code, error.syscall, error.address];
`;

describeLikeNode("net", {
  "connects, writes, reads, half-closes and ends": `${start}
    const server = net.createServer({ allowHalfOpen: true }, (socket) => {
      const got = [];
      socket.on("data", (data) => got.push(data));
      socket.on("end", () => { console.log("server end", String(Buffer.concat(got))); socket.end("bye"); });
      socket.on("close", (hadError) => { ends.push("server", hadError, socket.bytesRead, socket.bytesWritten); server.close(); });
    });
    const ends = [];
    process.on("exit", () => console.log(...ends));
    server.on("close", () => ends.push("server closed"));
    server.listen(0, "127.0.0.1", async () => {
      const { address, family, port } = server.address();
      console.log(address, family, port > 0);
      const client = net.connect({ port, host: "127.0.0.1" });
      await once(client, "connect");
      console.log(client.remoteAddress, client.remoteFamily, client.remotePort === port, client.localAddress);
      client.write("one ");
      client.end("two");
      for await (const data of client) console.log("client", String(data));
      console.log(client.bytesRead, client.bytesWritten, client.destroyed);
    });`,
  "says why nobody listens or can": `${start}
    net.connect(1, "127.0.0.1").on("error", (error) => console.log(1, ...failure(error)));
    net.connect("no-such-socket").on("error", (error) => console.log(2, ...failure(error)));
    net.createServer().listen("no-such-directory/socket").on("error", (error) => console.log(3, ...failure(error)));
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      net.createServer().listen(server.address().port, "127.0.0.1").on("error", (error) => {
        console.log(4, ...failure(error));
        server.close();
      });
    });
    net.createServer().listen(0, "192.0.2.1").on("error", (error) => console.log(5, ...failure(error)));
    setTimeout(() => {}, 100);`,
  "carries much through a unix socket, against the pressure of its reader": `${start}
    const fs = require("node:fs");
    const server = net.createServer((socket) => socket.pipe(socket)).listen("s", async () => {
      console.log(fs.lstatSync("s").isSocket());
      const client = net.connect("s");
      const all = Buffer.alloc(3_000_000, "abcdefghij");
      client.end(all);
      const parts = [];
      client.on("data", (data) => {
        parts.push(data);
        if (parts.length % 5 !== 0) return;
        client.pause();
        setTimeout(() => client.resume(), 1);
      });
      await once(client, "end");
      console.log(Buffer.concat(parts).equals(all));
      server.close(() => console.log(fs.existsSync("s")));
    });`,
  "resets a connection": `${start}
    const server = net.createServer((socket) => socket.on("data", () => socket.resetAndDestroy())).listen(0, () => {
      const client = net.connect(server.address().port);
      client.write("x");
      client.on("error", (error) => console.log(error.code, error.syscall));
      client.on("close", (hadError) => { console.log(hadError); server.close(); });
    });`,
  "drops connections beyond its limit, counts and lists the others": `${start}
    const server = net.createServer();
    server.maxConnections = 1;
    server.on("drop", ({ remoteFamily }) => console.log("drop", remoteFamily));
    server.listen(0, "127.0.0.1", async () => {
      const first = net.connect(server.address().port, "127.0.0.1");
      await once(server, "connection");
      const second = net.connect(server.address().port, "127.0.0.1");
      second.on("error", () => undefined);
      await once(second, "close");
      server.getConnections((error, count) => { console.log(error, count); first.destroy(); server.close(); });
    });`,
  "blocks addresses": `${start}
    const list = new net.BlockList();
    list.addAddress("123.123.123.123");
    list.addRange("10.0.0.1", "10.0.0.10");
    list.addSubnet("8592:757c:efae:4e45::", 64, "ipv6");
    for (const [address, family] of [["123.123.123.123"], ["::ffff:7b7b:7b7b", "ipv6"], ["10.0.0.3"], ["10.0.0.11"],
      ["8592:757c:efae:4e45::1", "ipv6"], ["8592:757c:efae:4e46::1", "ipv6"], ["none"]]) console.log(address, list.check(address, family));
    console.log(list.rules, new net.SocketAddress({ address: "::1", family: "ipv6", port: 3 }).address);
    console.log(net.isIP("1.2.3.4"), net.isIP("::1"), net.isIP("1.2.3.400"));`,
});

describeLikeNode("dgram", {
  "sends to an address and to a peer": `
    const dgram = require("node:dgram");
    const server = dgram.createSocket("udp4");
    server.on("message", (data, { address, family, size, port }) => {
      console.log(String(data), address, family, size, port > 0);
      server.send(["back ", data], port, address);
    });
    server.bind(0, "127.0.0.1", () => {
      const client = dgram.createSocket("udp4");
      client.on("message", (data) => {
        console.log(String(data));
        if (String(data) !== "back one") { client.close(); server.close(); return; }
        client.connect(server.address().port, "127.0.0.1", () => {
          console.log(client.remoteAddress().address);
          try { client.send("x", 1, "127.0.0.1"); } catch (error) { console.log(error.code); }
          client.send("two", (error, bytes) => console.log(error, bytes));
        });
      });
      client.send("one", server.address().port, "127.0.0.1", (error, bytes) => console.log(error, bytes));
    });`,
  "says what cannot be": `
    const dgram = require("node:dgram");
    const socket = dgram.createSocket("udp4");
    socket.on("error", (error) => console.log(error.code, error.syscall));
    socket.send(Buffer.alloc(70_000), 9, "127.0.0.1", (error) => { console.log(error.code); socket.close(); });
    dgram.createSocket("udp6").bind(0, "192.0.2.1").on("error", (error) => console.log(error.code, error.syscall));`,
});
