// An HTTP API as a command of VMs, whose token no VM ever sees.
//
//   node examples/openapi/main.ts
//
// Starts the API (books-api.ts), and agentos-mcp with a configuration that names its document (books.yaml)
// and its token. Each step says what it expects, and fails when something else comes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBooksApi } from "./books-api.ts";

const token = randomUUID();
const { server, port } = await startBooksApi(token);
const scratch = await mkdtemp(join(tmpdir(), "openapi-"));
const configuration = {
  toolkits: {
    books: {
      openapi: join(import.meta.dirname, "books.yaml"),
      serverVariables: { port: String(port) },
      auth: { type: "bearer", token: { env: "BOOKS_TOKEN" } },
      exclude: { methods: ["DELETE"] },
    },
  },
  poolSize: 0,
};
const config = join(scratch, "config.json");
await writeFile(config, JSON.stringify(configuration));

const launcher = join(import.meta.dirname, "../../bin/agentos-mcp.mjs");
const { PATH = "", HOME = "" } = process.env;
const env = {
  PATH,
  HOME,
  AGENTOS_MCP_HOME: join(scratch, "home"),
  AGENTOS_MCP_CONFIG: config,
  BOOKS_TOKEN: token,
};

try {
  step("Operations are tools, with flags of their parameters and body.");
  assert.match(
    (await run("agentos-books --help")).stdout,
    /add-book[\s\S]*get-book[\s\S]*list-books/,
  );
  assert.match(
    (await run("agentos-books add-book --help")).stdout,
    /--title[\s\S]*The book's title/,
  );

  step("A page says how to get the next one; --all gets them all.");
  const first = await run("agentos-books list-books | jq length");
  assert.equal(first.stdout, "2\n");
  assert.match(first.stderr, /There is more: add --page 2, or --all for every page/);
  assert.equal((await run("agentos-books list-books --all | jq length")).stdout, "5\n");
  const byAuthor =
    "agentos-books list-books --author 'Ursula K. Le Guin' --all | jq -r '.[].title' | sort";
  assert.equal(
    (await run(byAuthor)).stdout,
    "A Wizard of Earthsea\nThe Dispossessed\nThe Left Hand of Darkness\n",
  );

  step("What the API takes is checked before it is asked.");
  assert.equal((await run("agentos-books add-book --title Roadside")).code, 2);
  const added = await run("agentos-books add-book --title Ubik --author 'Philip K. Dick' | jq .id");
  assert.equal(added.stdout, "6\n");

  step("What the API refuses fails, in its words.");
  const missing = await run("agentos-books get-book --id 77");
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /404 Not Found.*There is no such book/);

  step("What the configuration leaves out is not there.");
  assert.equal((await run("agentos-books remove-book --id 1")).code, 2);

  step("The token is nowhere in the VM.");
  const everywhere = await run(
    "env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null; agentos describe books; grep -rIs . /etc /root /home /tmp /workspace 2>/dev/null; true",
  );
  assert.ok(!`${everywhere.stdout}${everywhere.stderr}`.includes(token));

  step("Nor in anything that the server writes down.");
  for (const file of await readdir(scratch, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile()) assert.ok(!(await readFile(path)).includes(token), path);
  }

  console.log("All of it worked.");
} finally {
  await agentosMcp(["stop", "--yes"]);
  server.close();
  server.closeAllConnections();
  await rm(scratch, { recursive: true, force: true });
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: string): Promise<Ran> {
  return await agentosMcp(["exec", "--vm", "reader", "--", command]);
}

async function agentosMcp(words: readonly string[]): Promise<Ran> {
  return await new Promise((ended) => {
    const child = execFile(
      process.execPath,
      [launcher, ...words],
      { env },
      (error, stdout, stderr) => {
        ended({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}

function step(words: string): void {
  console.log(`- ${words}`);
}
