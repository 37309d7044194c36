import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DockerProvider } from "../../../../src/sandbox-escalation/providers/docker/docker-provider.ts";
import { findEngine } from "../../../../src/sandbox-escalation/providers/docker/engine-address.ts";

describe("findEngine", () => {
  const directory = mkdtempSync(join(tmpdir(), "agentos-engine-address-"));
  const socketPath = join(directory, "docker.sock");
  let server: Server;

  beforeAll(async () => {
    server = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  });

  afterAll(() => {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it("takes DOCKER_HOST first", () => {
    const env = { DOCKER_HOST: `unix://${socketPath}`, HOME: "/nowhere" };
    expect(findEngine(env)).toEqual({ address: { socketPath } });
    expect(findEngine({ DOCKER_HOST: "tcp://127.0.0.1:2375" })).toEqual({
      address: { host: "127.0.0.1", port: 2375 },
    });
    expect(findEngine({ DOCKER_HOST: "tcp://[::1]:2375" })).toEqual({
      address: { host: "::1", port: 2375 },
    });
  });

  it.each([
    "tcp://10.0.0.5:2375",
    "tcp://0.0.0.0:2375",
    "ssh://me@host",
    "tcp://localhost:99999",
    "nonsense",
  ])("refuses %s, and says what to do", (host) => {
    expect(findEngine({ DOCKER_HOST: host })).toEqual({
      reason: expect.stringContaining(host),
      fix: expect.stringContaining("DOCKER_HOST"),
    });
  });

  it("finds a rootless engine, and the chosen context", () => {
    const rootless = findEngine({ XDG_RUNTIME_DIR: directory, HOME: directory });
    expect("address" in rootless).toBe(true);
    const digest = createHash("sha256").update("mine").digest("hex");
    const meta = join(directory, "contexts/meta", digest);
    mkdirSync(meta, { recursive: true });
    const content = { Endpoints: { docker: { Host: `unix://${socketPath}` } } };
    writeFileSync(join(meta, "meta.json"), JSON.stringify(content));
    writeFileSync(join(directory, "config.json"), '{"currentContext":"mine"}');
    expect(findEngine({ DOCKER_CONFIG: directory })).toEqual({ address: { socketPath } });
    writeFileSync(join(directory, "config.json"), "no json");
    expect(findEngine({ DOCKER_CONFIG: directory, DOCKER_CONTEXT: "mine" })).toEqual({
      address: { socketPath },
    });
  });

  it("becomes a probe that says why not", async () => {
    const openFiles = () => Promise.reject(new Error("no files"));
    const nowhere = new DockerProvider({ env: { DOCKER_HOST: "unix:///no/such.sock" }, openFiles });
    expect(await nowhere.probe()).toMatchObject({
      isUsable: false,
      reason: "There is no socket /no/such.sock.",
    });
    await expect(nowhere.list("x")).rejects.toMatchObject({ code: "unavailable" });
    const other = new DockerProvider({ env: { DOCKER_HOST: `unix://${socketPath}` }, openFiles });
    expect(await other.probe()).toMatchObject({
      isUsable: false,
      reason: "What answers at the engine's address is none.",
    });
  });
});
