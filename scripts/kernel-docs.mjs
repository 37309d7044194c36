// The documents that are made from the kernel's sources: docs/syscalls.md, docs/limits.md and
// docs/posix-deviations.md. Runs on the pinned Node, which reads the sources as they are.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limitNames, limitTable } from "../src/kernel/limits/limits.ts";
import { DEFAULT_MEMORY_MB } from "../src/kernel/limits/vm-memory.ts";
import { syscallNames, syscalls } from "../src/kernel/syscalls/table.ts";
import { projectRoot } from "./find-command.mjs";

/** The documents by their paths in the project. */
export const kernelDocs = {
  "docs/syscalls.md": renderSyscalls,
  "docs/limits.md": renderLimits,
  "docs/posix-deviations.md": renderDeviations,
};

const handlerFolder = "src/kernel/syscalls";

/** @returns {string} */
function renderSyscalls() {
  const handlers = readHandlers();
  const rows = syscallNames.map((name) => {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`${name} has no comment in ${handlerFolder}.`);
    const { errnos, support } = syscalls[name];
    const note = "note" in syscalls[name] ? ` ${syscalls[name].note}` : "";
    const part = support === "partial" ? ` *Partly:*${note}` : "";
    const list = errnos.length === 0 ? "—" : errnos.join(" ");
    return `| \`${name}(${handler.parameters})\` | ${handler.says}${part} | ${list} |`;
  });
  return `# System calls

Every way into the kernel; a guest can do nothing that is not in this list. Made from
\`${handlerFolder}/table.ts\` by \`npm run docs\`: change it there.

Calls answer promises and fail with a \`KernelError\` of one of the errnos beside them; a test of each
is in \`test/kernel/syscalls\`. A \`PathArg\` is a path from the working directory, or
\`{ at, path }\` from the directory open at \`at\`. EACCES is also what the policy denies.

| call | what it does | fails with |
| --- | --- | --- |
${rows.join("\n")}
`;
}

/** @returns {string} */
function renderLimits() {
  const rows = limitNames.map((name) => {
    const { value, unit, errno, says } = limitTable[name];
    const amount = unit === "bytes" ? describeBytes(value) : value.toLocaleString("en");
    return `| \`${name}\` | ${amount} | ${errno ?? "—"} | ${says} |`;
  });
  return `# Limits

Every number that stops a guest, for one VM. Made from \`src/kernel/limits/limits.ts\` by
\`npm run docs\`: change it there.

A call that would go over a limit fails with the errno beside it, and its error names the limit:
\`limit maxProcesses is 256; raise limits.maxProcesses of the VM\`. The host is warned when a limit is
filled to 80 %. All are set when a VM is made; each is a whole number from 1 up.

| limit | default | fails with | what it counts |
| --- | --- | --- | --- |
${rows.join("\n")}

## Of a server

What is kept for all VMs together. A command whose log cannot be kept goes on; its result says how much is there, and which limit it was.

| limit | default | beyond it |
| --- | --- | --- |
| \`memoryMb\` of a VM | ${DEFAULT_MEMORY_MB.toLocaleString("en")} | its largest process is killed; the command's result says so |
| \`maxMemoryMb\` of the configuration, for all VMs | three quarters of the host's memory | the largest process of the largest VM is killed, and the result names this limit; far above it that VM ends |
| \`homeLimitMb\` of the configuration | 16,384 | all files of the home: logs keep their beginning and end |
| free disk | 1 GiB, or 5 % of a small one | is left to others: logs keep their beginning and end |
| logs of the commands of one VM | 1 GiB | the oldest of a command that has ended leaves |
| log of one stream | 256 MiB | keeps its beginning and end |
| lines that a VM makes the server log | 100 and 64 KiB, as much again an hour; 1 MiB for all VMs | are counted: "N lines suppressed" |
| JSON of a client or a guest | 200 levels, 2,000,000 values | is refused before it is parsed |
| JSON of a tool's result | 200 levels, 4,000,000 values | fails the call |
`;
}

/** @returns {string} */
function renderDeviations() {
  const found = sourceFiles("src").flatMap((file) =>
    deviationsIn(readFileSync(join(projectRoot, file), "utf8")).map((text) => ({ file, text })),
  );
  const lines = found.map(({ file, text }) => `- ${text} (\`${file}\`)`);
  return `# Deviations

Where we knowingly differ from Linux, bash or the GNU programs, and why. Made from the
\`Deviation:\` comments in \`src\` by \`npm run docs\`: change it there.

${lines.join("\n")}
`;
}

/** @param {number} count */
function describeBytes(count) {
  for (const [unit, size] of /** @type {const} */ ([
    ["TiB", 2 ** 40],
    ["MiB", 2 ** 20],
    ["KiB", 2 ** 10],
  ])) {
    if (count >= size && count % size === 0) return `${count / size} ${unit}`;
  }
  return `${count} B`;
}

/** What the comment above each handler says, and its parameters. */
function readHandlers() {
  /** @type {Map<string, { says: string; parameters: string }>} */
  const handlers = new Map();
  const pattern =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:\/\/.*\n)?export async function (\w+)\(([\s\S]*?)\n?\): Promise</g;
  for (const file of sourceFiles(handlerFolder)) {
    const source = readFileSync(join(projectRoot, file), "utf8");
    for (const [, comment = "", name = "", parameters = ""] of source.matchAll(pattern)) {
      handlers.set(name, { says: unwrap(comment), parameters: describeParameters(parameters) });
    }
  }
  return handlers;
}

/**
 * The parameters after the process, without their types.
 * @param {string} source
 */
function describeParameters(source) {
  const names = [];
  let depth = 0;
  let word = "";
  for (const char of `${source},`) {
    if ("([{<".includes(char)) depth += 1;
    if (")]}>".includes(char)) depth -= 1;
    if (char !== "," || depth > 0) {
      word += char;
      continue;
    }
    if (word.trim() !== "") names.push(describeParameter(word.trim()));
    word = "";
  }
  return names.slice(1).join(", ");
}

/** @param {string} text */
function describeParameter(text) {
  const destructured = /^\{([^}]*)\}/.exec(text);
  if (destructured !== null)
    return `{ ${destructured[1]?.replaceAll(/\s*=\s*[^,]+/g, "?").trim()} }`;
  const name = /^\w+/.exec(text)?.[0] ?? text;
  const initial = /^\w+\s*(?::[^=]+)?=\s*([^=>]+)$/.exec(text)?.[1];
  const isOptional = /^\w+\?/.test(text);
  if (initial !== undefined) return `${name} = ${initial.trim()}`;
  return isOptional ? `${name}?` : name;
}

/** @param {string} comment */
function unwrap(comment) {
  return comment
    .replaceAll(/\n\s*\* ?/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .trim();
}

/**
 * The texts of `Deviation:` comments, each up to the end of its paragraph.
 * @param {string} source
 */
function deviationsIn(source) {
  const lines = source.split("\n");
  /** @type {string[]} */
  const found = [];
  lines.forEach((line, at) => {
    const start = /^\s*(\/\/|\/\*\*|\*) Deviation: (.*)$/.exec(line);
    if (start === null) return;
    const [, mark = "", first = ""] = start;
    const words = [first];
    const goesOn = mark === "//" ? /^\s*\/\/ (.+)$/ : /^\s*\* (?!Deviation:)([^/].*)$/;
    for (const next of lines.slice(first.includes("*/") ? lines.length : at + 1)) {
      const more = goesOn.exec(next)?.[1];
      if (more === undefined) break;
      words.push(more);
    }
    found.push(
      words
        .join(" ")
        .replace(/\s*\*\/\s*$/, "")
        .trim(),
    );
  });
  return found;
}

/** @param {string} folder */
function sourceFiles(folder) {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .toSorted();
}
