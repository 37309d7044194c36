/**
 * Code of code_run is a function's body, where `import` statements are not allowed, and authors write them first of
 * all. Those at its beginning become `await import()`, line for line.
 */
export function rewriteImports(code: string): string {
  let done = "";
  let rest = code;
  for (;;) {
    const [space] = leadingSpace.exec(rest) ?? [""];
    done += space;
    rest = rest.slice(space.length);
    const statement = importStatement.exec(rest);
    if (statement === null) return done + rest;
    const [text, clause = "", specifier = "", attributes] = statement;
    done += rewriteOne(clause.trim(), specifier, attributes) + "\n".repeat(countLines(text));
    rest = rest.slice(text.length);
  }
}

/** Blank lines, comments and directives such as "use strict". */
const leadingSpace = /^(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/|(?:"use \w+"|'use \w+');?)*/;
/**
 * What may stand between `import` and `from` is names, commas, braces and blanks: no quote, no bracket. No two
 * repetitions beside each other take the same characters: a thousand blanks would take the server's thread seconds.
 */
const importStatement =
  /^import\b(?:([\w$\s,{}*]+?)\bfrom\b)?\s*("[^"\n]*"|'[^'\n]*')(?:\s*with\s*(\{[^}]*\}))?[ \t]*;?/;

/** The globals are there already. */
const OWN_MODULE = /^["']agentos["']$/;

function rewriteOne(clause: string, specifier: string, attributes: string | undefined): string {
  if (/^type\b(?!\s*,)/.test(clause) && clause !== "type") return "";
  if (OWN_MODULE.test(specifier) && clause === "tools") return "";
  const options = attributes === undefined ? "" : `, { with: ${attributes} }`;
  const loaded = `await import(${specifier}${options})`;
  if (clause === "") return `${loaded};`;
  const namespace = /^(?:([\w$]+)\s*,\s*)?\*\s*as\s+([\w$]+)$/.exec(clause);
  if (namespace !== null) {
    const [, own, all = ""] = namespace;
    return `const ${all} = ${loaded}${own === undefined ? "" : `, ${own} = ${all}.default`};`;
  }
  const [, own, names] = /^([\w$]+)?\s*(?:,\s*)?(?:\{([^]*)\})?$/.exec(clause) ?? [];
  const parts = [
    ...(own === undefined ? [] : [`default: ${own}`]),
    ...(names ?? "").split(",").flatMap((name) => renamed(name.trim())),
  ];
  return `const { ${parts.join(", ")} } = ${loaded};`;
}

/** `a as b` is `a: b`; `type T` is nothing. */
function renamed(name: string): string[] {
  if (name === "" || /^type\s/.test(name)) return [];
  const [own = "", as, other] = name.split(/\s+/);
  return [as === "as" && other !== undefined ? `${own}: ${other}` : name];
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
