// The suites that take long because their work is long: attacks and calls by the hundred, faults of whole servers, real sandboxes,
// packages as large as those of users. `npm test` leaves them out; `npm run test:long` runs them, and nothing else.

/** By subject; a file belongs here when it takes more than ten seconds or starts sandboxes one after the other. */
export const longSuites: Readonly<Record<string, readonly string[]>> = {
  attacks: [
    "test/e2e/attacks/attacks.test.ts",
    "test/e2e/memory/memory-bombs.test.ts",
    "test/e2e/hold-userland.test.ts",
    "test/security/sandbox-escape.test.ts",
  ],
  fuzz: ["test/fuzz/*.test.ts"],
  faults: ["test/e2e/faults.test.ts", "test/e2e/sandbox-faults.test.ts"],
  shell: ["test/conformance/shell/bash-cases-over-mcp.test.ts"],
  load: [
    "test/e2e/bad-stdin.test.ts",
    "test/e2e/parallel-calls.test.ts",
    "test/e2e/many-clients.test.ts",
  ],
  providers: [
    "test/sandbox-escalation/providers/*/*-{contract,failures,provider,walls}.test.ts",
    "test/sandbox-escalation/providers/local/{local-sandbox,writable-root}.test.ts",
    "test/sandbox-escalation/files/moving/*.test.ts",
    "test/sandbox-escalation/files/exec/exec-files.test.ts",
  ],
  sandboxes: [
    "test/mcp-server/sandboxes/*{daytona,far,sandbox-agent,faults,network,packages,root}*.test.ts",
    "test/examples/sandbox-*.test.ts",
  ],
  packages: ["test/conformance/packages/packages.test.ts", "test/package/ensure-dist.test.ts"],
};
