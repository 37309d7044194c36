// The three commands that the bash cases have on their PATH, see ../shared/conformance/shell/README.md.
import {
  decodeText,
  type Executor,
  encodeText,
  type Program,
  type SeedEntry,
} from "../../src/kernel/index.ts";

const MAGIC = "\x7fCASE ";

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  [
    "argv.py",
    async (sys, argv) => {
      await sys.write(1, encodeText(`[${argv.slice(1).map(pythonText).join(", ")}]\n`));
      return 0;
    },
  ],
  [
    "printenv.py",
    async (sys, argv) => {
      const environment = await sys.environ();
      const lines = argv.slice(1).map((name) => `${environment.get(name) ?? "None"}\n`);
      if (lines.length > 0) await sys.write(1, encodeText(lines.join("")));
      return 0;
    },
  ],
  [
    "stdout_stderr.py",
    async (sys, [, out = "STDOUT", err = "STDERR", status = "0"]) => {
      await sys.write(1, encodeText(`${out}\n`));
      await sys.write(2, encodeText(`${err}\n`));
      return Number(status);
    },
  ],
]);

/** Runs them. */
export const casePrograms: Executor = {
  name: "case",
  accepts: (header) => decodeText(header).startsWith(MAGIC),
  start: ({ header, argv }, sys) => {
    const name = decodeText(header).slice(MAGIC.length).trimEnd();
    const program = programs.get(name);
    if (program === undefined) throw new Error(`there is no program ${name}`);
    return { ended: Promise.resolve().then(() => program(sys, argv)), kill: () => undefined };
  },
};

export const caseFiles: readonly SeedEntry[] = [...programs.keys()].map((name) => ({
  path: `/usr/local/bin/${name}`,
  kind: "file",
  mode: 0o755,
  uid: 0,
  gid: 0,
  content: encodeText(`${MAGIC}${name}\n`),
}));

/** As Python 3 shows bytes, without the `b`. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let shown = "";
  for (const byte of encodeText(text)) {
    const character = String.fromCharCode(byte);
    if (character === "\\" || character === quote) shown += `\\${character}`;
    else if (character === "\n") shown += "\\n";
    else if (character === "\t") shown += "\\t";
    else if (character === "\r") shown += "\\r";
    else shown += byte < 32 || byte > 126 ? `\\x${byte.toString(16).padStart(2, "0")}` : character;
  }
  return `${quote}${shown}${quote}`;
}
