import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EgressProxy } from "../../../src/sandbox-escalation/egress/egress-proxy.ts";

let directory = "";
let server: Server;
let port = 0;
let proxy: EgressProxy | undefined;
let seen: IncomingMessage | undefined;
let records: string[] = [];
let lookups = 0;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "egress-"));
  records = [];
  lookups = 0;
  server = createServer((incoming, response) => {
    seen = incoming;
    response.setHeader("x-answer", "yes");
    incoming.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await proxy?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
});

const socket = (): string => join(directory, "p.sock");

async function open(
  allow: string[],
  named: string[] = [],
  addresses = ["127.0.0.1"],
): Promise<void> {
  proxy = await EgressProxy.open({
    socket: socket(),
    allow,
    private: named,
    record: (isAllowed, { host, why }) =>
      records.push(`${isAllowed ? "allow" : "deny"} ${host} ${why}`),
    lookup: async () => {
      lookups += 1;
      return addresses;
    },
  });
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: IncomingMessage["headers"];
}

function get(
  path: string,
  options: { body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { body = "", headers = {} } = options;
    const method = body === "" ? "GET" : "POST";
    const outgoing = request(
      { socketPath: socket(), path, method, headers, agent: false },
      (answer) => {
        const { statusCode: status, headers: told } = answer;
        answer
          .toArray()
          .then((chunks) => resolve({ status, text: chunks.join(""), headers: told }))
          .catch(reject);
      },
    );
    outgoing.on("error", reject).end(body);
  });
}

/** All that comes back on a connection that says this. */
function say(text: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const client = connect(socket(), () => client.write(text));
    client.on("data", (bytes: Buffer) => chunks.push(bytes));
    client.on("error", () => client.destroy());
    client.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}

describe("requests through the proxy", () => {
  it("reach a host that is named, with body and headers, but none that is between us", async () => {
    await open([], [`api.test:${port}`]);
    const headers = {
      "x-own": "1",
      "proxy-authorization": "secret",
      connection: "x-hop",
      "x-hop": "2",
      host: "other.test",
    };
    const answer = await get(`http://api.test:${port}/a?b=c`, { body: "hello", headers });
    expect(answer).toMatchObject({ status: 200, text: "hello", headers: { "x-answer": "yes" } });
    expect(seen?.url).toBe("/a?b=c");
    expect(seen?.headers).toMatchObject({ "x-own": "1", host: `api.test:${port}` });
    expect(Object.keys(seen?.headers ?? {})).not.toContain("proxy-authorization");
    expect(Object.keys(seen?.headers ?? {})).not.toContain("x-hop");
    expect(records).toEqual([`allow api.test:${port} 127.0.0.1`]);
  });

  it.each([
    "HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 099 Less\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 101 Other\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: \u0001\r\n\r\n",
    "nonsense\r\n\r\n",
  ])("end well when the host answers %j", async (words) => {
    const host = createTcpServer((client) => {
      client.on("error", () => client.destroy());
      client.once("data", () => client.end(words));
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const place = `api.test:${(host.address() as AddressInfo).port}`;
    await open([], [place]);
    expect(await get(`http://${place}/`)).toMatchObject({ status: 502 });
    await new Promise((resolve) => host.close(resolve));
  });

  it("are refused for hosts and ports that nobody named, without looking them up", async () => {
    await open(["example.org", "*.debian.org"]);
    for (const url of [
      "http://evil.test/",
      "http://example.org.evil.test/",
      "http://notexample.org/",
      "http://debian.org/",
      "http://example.org:22/",
      "http://127.0.0.1/",
      "http://[::1]/",
      "http://2130706433/",
    ]) {
      expect(await get(url)).toMatchObject({ status: 403 });
    }
    expect(lookups).toBe(0);
    expect(records.every((record) => record.startsWith("deny"))).toBe(true);
  });

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "::1",
    "::ffff:127.0.0.1",
    "fd00::1",
    "64:ff9b::7f00:1",
  ])("are refused where a named host leads to %s", async (address) => {
    await open([`api.test:${port}`], [], [address]);
    const answer = await get(`http://api.test:${port}/`);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("its address is not public");
    expect(seen?.url).not.toBe("/private");
  });

  it("say what the operator can do where there is something", async () => {
    const refusal = `The sandbox may not connect to api.test:${port}:`;
    await open([`api.test:${port}`], [], ["10.1.2.3"]);
    expect((await get(`http://api.test:${port}/`)).text).toBe(
      `${refusal} its address is not public. The operator can add it to sandbox.network.private.\n`,
    );
    await proxy?.close();
    await open([`api.test:${port}`], [], []);
    expect((await get(`http://api.test:${port}/`)).text).toBe(
      `${refusal} the host has no address.\n`,
    );
    await proxy?.close();
    await open(["other.test"]);
    expect((await get(`http://api.test:${port}/`)).text).toBe(
      `${refusal} the host is not on the list. The operator can add it to sandbox.network.allow.\n`,
    );
  });

  it("ask for the address once: what a name says later counts for nothing", async () => {
    await open([], [`api.test:${port}`]);
    await get(`http://api.test:${port}/`);
    expect(lookups).toBe(1);
  });

  it("are refused in any other form", async () => {
    await open([], [`api.test:${port}`]);
    expect(await get("/local")).toMatchObject({ status: 400 });
    expect(await get(`ftp://api.test:${port}/`)).toMatchObject({ status: 400 });
    expect(await say(`GET http://api.test:${port}/ HTTP/1.1\r\nbroken header\r\n\r\n`)).toBe("");
  });

  it("are under way one at a time of a connection, however many it sends at once", async () => {
    const hosted: Promise<unknown>[] = [];
    const host = createTcpServer((client) => {
      hosted.push(new Promise((resolve) => client.on("close", resolve)));
      client.on("error", () => client.destroy()).resume();
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const place = `api.test:${(host.address() as AddressInfo).port}`;
    await open([], [place]);
    const first = connect(socket(), () =>
      first.write(`GET http://${place}/ HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(8)),
    );
    // What follows a flood is not waited for: the connection ends.
    expect(await say(`GET http://${place}/ HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(500))).toBe("");
    const ended = new Promise((resolve) => first.on("close", resolve));
    first.destroy();
    await ended;
    await Promise.all(hosted);
    expect(hosted.length).toBeLessThanOrEqual(2);
    await new Promise((resolve) => host.close(resolve));
  });

  it("are answered in order where several are sent at once", async () => {
    await open([], [`api.test:${port}`]);
    const post = (text: string): string =>
      `POST http://api.test:${port}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n${text}`;
    const last = "GET /local HTTP/1.1\r\nHost: a\r\n\r\n";
    const said = await say(`${post("Q")}${post("V")}${post("W")}${last}`);
    expect(said.match(/^[QVW]|HTTP\/1.1 \d+/gm)).toEqual([
      "HTTP/1.1 200",
      "Q",
      "HTTP/1.1 200",
      "V",
      "HTTP/1.1 200",
      "W",
      "HTTP/1.1 400",
    ]);
  });

  it("say so when the host does not answer", async () => {
    await open([], ["api.test:1"]);
    expect(await get("http://api.test:1/")).toMatchObject({
      status: 502,
      text: "api.test:1 cannot be reached.\n",
    });
  });
});

describe("tunnels through the proxy", () => {
  it("carry bytes both ways to a host that is named", async () => {
    await open([], [`api.test:${port}`]);
    const said = await say(`CONNECT api.test:${port} HTTP/1.1\r\n\r\nGET /inside HTTP/1.0\r\n\r\n`);
    expect(said).toContain("200 Connection established");
    expect(said).toContain("x-answer: yes");
    expect(seen?.url).toBe("/inside");
  });

  it.each([
    "evil.test:443",
    "api.test:22",
    "169.254.169.254:80",
    "[::1]:443",
    "user@api.test:443",
    "api.test",
    "api.test:443/x",
  ])("are refused to %s", async (place) => {
    await open(["api.test"]);
    expect(await say(`CONNECT ${place} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  it("end with the proxy", async () => {
    await open([], [`api.test:${port}`]);
    let told = (): void => undefined;
    const established = new Promise<void>((resolve) => {
      told = resolve;
    });
    const client = connect(socket(), () =>
      client.write(`CONNECT api.test:${port} HTTP/1.1\r\n\r\n`),
    );
    client.on("data", () => told());
    const closed = new Promise((resolve) => client.on("close", resolve));
    client.on("error", () => client.destroy());
    await established;
    await proxy?.close();
    await closed;
    proxy = undefined;
  });
});
