/** The parser's commands as ours. */
import type * as unbash from "unbash";
import { parse } from "unbash";
import { adaptAssignment } from "./adapt-assignment.ts";
import { adaptRedirect } from "./adapt-redirect.ts";
import { type AdaptContext, adaptQuotedParts, adaptWord, arithmeticText } from "./adapt-word.ts";
import type {
  AndOr,
  Body,
  Command,
  CompoundCommand,
  ListNode,
  Pipeline,
  PipelineNode,
  Script,
  SimpleCommand,
  Statement,
  SyntaxProblem,
  TestExpression,
  WordPart,
} from "./ast.ts";
import { SourceLines } from "./source-lines.ts";
import { findProblem } from "./syntax-problem.ts";

export function adaptScript(parsed: unbash.ParsedScript, lines: SourceLines): Script {
  const error = findProblem(parsed, lines);
  const context: AdaptContext = { lines, openHereDocument: undefined, adaptScript, readTemplate };
  const before = error === undefined ? parsed.commands : runnable(parsed, lines, error);
  const statements = before.map((statement) => adaptStatement(statement, context));
  return { statements, error, openHereDocument: context.openHereDocument };
}

/** Reads text as a here-document's body: expansions, no quotes. */
export function readTemplate(text: string): readonly WordPart[] {
  const end = "\u0001";
  const source = `<<${end}\n${text}\n${end}\n`;
  const command = parse(source).commands[0]?.command;
  const here = command?.type === "Command" ? command.redirects[0] : undefined;
  if (here?.type !== "HereDoc" || here.body.parts === undefined) {
    return [{ kind: "literal", text: text.replace(/\\([$`\\])|\\\n/g, "$1"), isQuoted: true }];
  }
  const lines = new SourceLines(source);
  return withoutLastNewline(
    adaptQuotedParts(here.body.parts, {
      lines,
      openHereDocument: undefined,
      adaptScript,
      readTemplate,
    }),
  );
}

function withoutLastNewline(parts: readonly WordPart[]): readonly WordPart[] {
  const last = parts.at(-1);
  if (last?.kind !== "literal") return parts;
  return [...parts.slice(0, -1), { ...last, text: last.text.replace(/\n$/, "") }];
}

/** bash reads and runs line by line: what stands on lines before the error has run already. */
function runnable(
  parsed: unbash.ParsedScript,
  lines: SourceLines,
  error: SyntaxProblem,
): readonly unbash.Statement[] {
  const last = parsed.commands.at(-1);
  const line = error.isIncomplete && last !== undefined ? lines.lineAt(last.pos) : error.line;
  return parsed.commands.filter(
    (statement) => lines.lineAt(statement.end) < Math.min(line, error.line),
  );
}

function adaptBody(list: unbash.CompoundList, context: AdaptContext): Body {
  return list.commands.map((statement) => adaptStatement(statement, context));
}

function adaptStatement(statement: unbash.Statement, context: AdaptContext): Statement {
  const { lines } = context;
  return {
    command: adaptList(statement.command, context),
    isBackground: statement.background === true,
    line: lines.lineAt(statement.pos),
    endLine: lines.lineAt(statement.end),
    text: lines.text.slice(statement.pos, statement.end),
  };
}

function adaptList(node: unbash.PipelineNode | unbash.AndOr, context: AdaptContext): ListNode {
  return node.type === "AndOr" ? adaptAndOr(node, context) : adaptPipelineNode(node, context);
}

function adaptAndOr(node: unbash.AndOr, context: AdaptContext): ListNode {
  const [first, ...others] = node.commands.map((command) => adaptPipelineNode(command, context));
  if (first === undefined) return { kind: "group", body: [] };
  const rest: AndOr["rest"] = others.map((command, at) => ({
    operator: node.operators[at] ?? "&&",
    command,
  }));
  return { kind: "and-or", first, rest };
}

function adaptPipelineNode(node: unbash.PipelineNode, context: AdaptContext): PipelineNode {
  return node.type === "Pipeline" ? adaptPipeline(node, context) : adaptCommand(node, context);
}

function adaptPipeline(node: unbash.Pipeline, context: AdaptContext): Pipeline {
  const negations = node.prefixes.filter((prefix) => prefix.type === "Negation").length;
  const time = node.prefixes.find((prefix) => prefix.type === "Time");
  return {
    kind: "pipeline",
    commands: node.commands.map((command) => adaptCommand(command, context)),
    pipesStderr: node.operators.map((operator) => operator === "|&"),
    isNegated: negations % 2 === 1,
    timed: time === undefined ? "no" : time.posix === undefined ? "bash" : "posix",
  };
}

function adaptCommand(
  node: unbash.CommandNode | unbash.CompoundList,
  context: AdaptContext,
): Command {
  const { lines } = context;
  switch (node.type) {
    case "Command":
      return adaptSimple(node, context);
    case "Redirected": {
      const redirects = node.redirects.map((redirect) => adaptRedirect(redirect, context));
      return { kind: "redirected", command: adaptCompound(node.command, context), redirects };
    }
    case "Function": {
      const text = lines.text.slice(node.pos, node.end);
      const body = adaptCommand(node.body, context);
      return { kind: "function", name: node.name.text, line: lines.lineAt(node.pos), body, text };
    }
    case "Coproc": {
      const text = lines.text.slice(node.pos, node.end);
      const body = adaptCommand(node.body, context);
      return { kind: "coprocess", name: node.name?.text, line: lines.lineAt(node.pos), body, text };
    }
    case "CompoundList":
      return { kind: "group", body: adaptBody(node, context) };
    default:
      return adaptCompound(node, context);
  }
}

function adaptSimple(node: unbash.Command, context: AdaptContext): SimpleCommand {
  const assignments = node.prefix.filter((item) => item.type === "Assignment");
  const words = node.args.map((item) =>
    item.type === "Assignment" ? adaptAssignment(item, context) : adaptWord(item, context),
  );
  return {
    kind: "simple",
    line: context.lines.lineAt(node.pos),
    assignments: assignments.map((item) => adaptAssignment(item, context)),
    words: node.name === undefined ? words : [adaptWord(node.name, context), ...words],
    redirects: node.redirects.map((redirect) => adaptRedirect(redirect, context)),
  };
}

function adaptCompound(node: unbash.CompoundCommand, context: AdaptContext): CompoundCommand {
  const { lines } = context;
  const line = lines.lineAt(node.pos);
  switch (node.type) {
    case "BraceGroup":
      return { kind: "group", body: adaptBody(node.body, context) };
    case "Subshell":
      return { kind: "subshell", body: adaptBody(node.body, context), line };
    case "If":
      return adaptIf(node, context);
    case "While": {
      const condition = adaptBody(node.clause, context);
      return {
        kind: "loop",
        until: node.kind === "until",
        condition,
        body: adaptBody(node.body, context),
      };
    }
    case "For":
    case "Select":
      return {
        kind: node.type === "For" ? "for" : "select",
        line,
        name: node.name.text,
        words: node.wordlist?.map((word) => adaptWord(word, context)),
        body: adaptBody(node.body, context),
      };
    case "ArithmeticFor":
      return adaptArithmeticFor(node, context);
    case "Case":
      return adaptCase(node, context);
    case "TestCommand":
      return { kind: "test", line, expression: adaptTest(node.expression, context) };
    case "ArithmeticCommand":
      return { kind: "arithmetic", line, expression: arithmeticText(node.body, context) };
  }
}

function adaptIf(node: unbash.If, context: AdaptContext): CompoundCommand {
  const branches = [node, ...node.elif].map((branch) => ({
    condition: adaptBody(branch.clause, context),
    body: adaptBody(branch.then, context),
  }));
  return { kind: "if", branches, otherwise: node.else && adaptBody(node.else, context) };
}

function adaptArithmeticFor(node: unbash.ArithmeticFor, context: AdaptContext): CompoundCommand {
  const { lines } = context;
  const read = (expression: unbash.ArithmeticExpression | undefined) =>
    expression && arithmeticText(lines.text.slice(expression.pos, expression.end), context);
  return {
    kind: "arithmetic-for",
    line: lines.lineAt(node.pos),
    initialize: read(node.initialize),
    test: read(node.test),
    update: read(node.update),
    body: adaptBody(node.body, context),
  };
}

function adaptCase(node: unbash.Case, context: AdaptContext): CompoundCommand {
  const items = node.items.map((item) => ({
    patterns: item.pattern.map((word) => adaptWord(word, context)),
    body: adaptBody(item.body, context),
    end: item.terminator ?? ";;",
  }));
  return {
    kind: "case",
    line: context.lines.lineAt(node.pos),
    word: adaptWord(node.word, context),
    items,
  };
}

function adaptTest(node: unbash.TestExpression, context: AdaptContext): TestExpression {
  switch (node.type) {
    case "TestUnary":
      return { kind: "unary", operator: node.operator, operand: adaptWord(node.operand, context) };
    case "TestBinary": {
      const left = adaptWord(node.left, context);
      return {
        kind: "binary",
        operator: node.operator,
        left,
        right: adaptWord(node.right, context),
      };
    }
    case "TestLogical":
      return {
        kind: "logical",
        operator: node.operator,
        operands: node.operands.map((operand) => adaptTest(operand, context)),
      };
    case "TestNot": {
      const operand = adaptTest(node.operand, context);
      return node.negations.length % 2 === 1 ? { kind: "not", operand } : operand;
    }
    case "TestGroup":
      return adaptTest(node.expression, context);
  }
}
