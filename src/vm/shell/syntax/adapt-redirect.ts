import type * as unbash from "unbash";
import { type AdaptContext, adaptQuotedParts, adaptWord, makeWord } from "./adapt-word.ts";
import type { Redirect, WordPart } from "./ast.ts";

export function adaptRedirect(node: unbash.Redirection, context: AdaptContext): Redirect {
  const fd =
    node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : node.descriptor?.name;
  if (node.type === "HereDoc") {
    if (node.closing === undefined) {
      context.openHereDocument ??= {
        delimiter: node.delimiter?.value ?? "",
        line: context.lines.lineAt(node.pos),
      };
    }
    return { kind: "here", fd, body: makeWord(hereBody(node, context), ""), isString: false };
  }
  const target = node.target === undefined ? makeWord([], "") : adaptWord(node.target, context);
  if (node.type === "HereString") return { kind: "here", fd, body: target, isString: true };
  return { kind: "file", operator: node.operator, fd, target };
}

function hereBody(node: unbash.HereDoc, context: AdaptContext): readonly WordPart[] {
  const parts: WordPart[] =
    node.body.parts === undefined || node.delimiter?.quoted === true
      ? [{ kind: "literal", text: plainBody(node), isQuoted: true }]
      : adaptQuotedParts(node.body.parts, context);
  if (node.closing === undefined && /[^\n]$/.test(node.body.text))
    parts.push({ kind: "literal", text: "\n", isQuoted: true });
  return node.operator === "<<-" ? stripTabs(parts) : parts;
}

/** A body without expansions; unless its delimiter is quoted, `\` still quotes `$`, `` ` ``, `\` and newline. */
function plainBody(node: unbash.HereDoc): string {
  const { text } = node.body;
  if (node.delimiter?.quoted === true || !text.includes("\\")) return text;
  return text.replace(/\\([$`\\])|\\\n/g, "$1");
}

/** `<<-`: tabs at the start of the body's lines go, those inside an expansion's value stay. */
function stripTabs(parts: readonly WordPart[]): WordPart[] {
  return parts.map((part, at) => {
    if (part.kind !== "literal") return part;
    const text = part.text.replace(/\n\t+/g, "\n");
    return { ...part, text: at === 0 ? text.replace(/^\t+/, "") : text };
  });
}
