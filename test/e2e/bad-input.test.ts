import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient, type ToolResult } from "./mcp-clients.ts";

let server: InstalledServer;
let client: McpClient;
const vm_id = "one";

beforeAll(async () => {
  server = InstalledServer.install();
  client = await connectModern(server.command);
  await client.call("vm_create", { name: vm_id });
});
afterAll(async () => {
  await client.close();
  await server.remove();
});

const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join("\n");

describe("bad input", () => {
  it.each([
    [
      "an unknown VM",
      "vm_exec",
      { vm_id: "nobody", command: "true" },
      /^There is no VM named "nobody"\. Call vm_list/,
    ],
    [
      "an unknown command",
      "vm_exec_io",
      { vm_id, exec_id: "77" },
      /^The VM "one" has no command "77"\. Call vm_list/,
    ],
    [
      "a name over its limit",
      "fs_read",
      { vm_id, path: `/tmp/${"n".repeat(256)}` },
      /^ENAMETOOLONG: .*: File name too long/,
    ],
    [
      "a path over its limit",
      "fs_write",
      { vm_id, path: `/${"d/".repeat(3000)}f`, content: "" },
      /is not a valid path: it has 6002 bytes, the limit is 4095\./,
    ],
    [
      "a NUL in a path",
      "fs_read",
      { vm_id, path: "/tmp/a\0b" },
      /^"\/tmp\/a\\u0000b" is not a valid path: it holds a NUL byte\./,
    ],
    [
      "a NUL in a directory",
      "vm_exec",
      { vm_id, command: "true", cwd: "/tmp\0" },
      /^"\/tmp\\u0000" is not a valid path: it holds a NUL byte\./,
    ],
    [
      "a command of more than a megabyte",
      "vm_exec",
      { vm_id, command: "x".repeat(2_000_000) },
      /^The command has 2000000 bytes; the limit is 1000000\. Write it to a file/,
    ],
    [
      "variables of a megabyte",
      "vm_exec",
      { vm_id, command: "true", env: { A: "x".repeat(1_000_000) } },
      /^The environment variables are not valid: they have 1000001 bytes/,
    ],
    ["a name that is none", "vm_create", { name: "../x" }, /^"\.\.\/x" is not a valid VM name\./],
  ])("gets a clear answer: %s", async (_what, tool, input, words) => {
    const result = await client.call(tool, input);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(words);
  });

  it("runs a command of a megabyte", async () => {
    const command = `echo ${"x".repeat(999_000)} | wc -c`;
    const { structuredContent } = await client.call("vm_exec", { vm_id, command });
    expect(structuredContent).toMatchObject({ status: "exited", stdout: "999001\n" });
  });

  it("takes 100 MB of output: shows its ends, keeps all, and stays small", async () => {
    const command = "yes 0123456789 | head -c 100000000";
    const { structuredContent } = await client.call("vm_exec", { vm_id, command });
    const { stdout, exec_id } = structuredContent as { stdout: string; exec_id: string };
    const log_uri = `vm://${vm_id}/exec/${exec_id}/stdout`;
    expect(structuredContent).toMatchObject({
      status: "exited",
      exit_code: 0,
      truncated: true,
      log_uri,
    });
    expect(stdout.length).toBeLessThan(31_000);
    expect(stdout).toMatch(
      /^0123456789\n(0123456789\n)+\[… 9997\d{4} bytes omitted; whole log: vm:\/\/one\/exec\/\d+\/stdout …\]\n(0123456789\n)+0$/,
    );
    const middle = await client.call("fs_read", {
      vm_id,
      path: log_uri,
      offset: 5_000_000,
      limit: 2,
    });
    expect(middle.content[0]?.text).toBe("0123456789\n0123456789\n");
    const end = { vm_id, path: log_uri, encoding: "base64", offset: 99_999_989 };
    const last = await client.call("fs_read", end);
    expect(Buffer.from(last.content[0]?.text ?? "", "base64").toString()).toBe("123456789\n0");
    const [resource] = await client.readResource(log_uri);
    expect(resource).toMatchObject({ uri: log_uri, mimeType: "text/plain" });
    expect(JSON.stringify(resource).length).toBeLessThan(1_300_000);
    expect(server.peakMemoryBytes()).toBeLessThan(300_000_000);
  });

  it("carries binary input, through a pipe to a command and as a file", async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256));
    const piped = await server.run(["exec", "--vm", vm_id, "--", "cat"], bytes);
    expect(piped).toEqual({ status: 0, stdout: bytes, stderr: "" });
    const content = bytes.toString("base64");
    await client.call("fs_write", { vm_id, path: "bytes", content, encoding: "base64" });
    const { structuredContent } = await client.call("vm_exec", { vm_id, command: "wc -c < bytes" });
    expect(structuredContent).toMatchObject({ stdout: "70000\n" });
    const echoed = await client.call("vm_exec", {
      vm_id,
      command: "cat",
      stdin: "\0\u0001\u{1F98A}\n",
    });
    expect(echoed.structuredContent).toMatchObject({ stdout: "\0\u0001\u{1F98A}\n" });
  });
});
