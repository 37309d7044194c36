/** Checks code against the declarations of its globals. Runs in the checker's process only. */
import ts from "typescript-6";
import type { CheckRequest, TypeProblem } from "../type-check.ts";
import { CodeFiles } from "./code-files.ts";
import { findMissingAwaits } from "./missing-await.ts";
import { findOurCall, isRelevant, type Judge, messageOf } from "./relevant.ts";
import { syntaxProblems, type WrappedCode, wrapCode } from "./wrap-code.ts";

const PROBLEMS_LIMIT = 10;
const MESSAGE_LIMIT_CHARACTERS = 500;
const MESSAGE_LINES = 3;

export class CodeCheck {
  readonly #files = new CodeFiles();

  /** What is wrong with the code, by position; [] where nothing is. */
  check({ code, tools }: CheckRequest): TypeProblem[] {
    const wrapped = wrapCode(code);
    if (wrapped === undefined) return describeSyntax(code);
    this.#files.setCode(wrapped.text, wrapped.isTypeScript, tools);
    const { service, code: name } = this.#files;
    const program = service.getProgram();
    const file = program?.getSourceFile(name);
    if (program === undefined || file === undefined)
      throw new Error("the code is not in its program");
    const judge: Judge = {
      checker: program.getTypeChecker(),
      isTypeScript: wrapped.isTypeScript,
      isOurs: (fileName) => this.#files.isOurs(fileName),
    };
    const problems = [
      ...complaints(service.getSemanticDiagnostics(name), file, judge),
      ...findMissingAwaits(file, judge).map((call) => missingAwait(call, file)),
    ];
    return place(problems, code, wrapped);
  }
}

interface Complaint extends Pick<TypeProblem, "message" | "tool"> {
  /** In the wrapped text. */
  readonly start: number;
}

function complaints(
  problems: readonly ts.Diagnostic[],
  file: ts.SourceFile,
  judge: Judge,
): Complaint[] {
  return problems.flatMap((problem) => {
    const node = nodeAt(file, problem.start ?? 0, problem.length ?? 0);
    if (!isRelevant(problem, node, judge)) return [];
    const call = findOurCall(node, judge);
    const tool = call === undefined ? toolIn(node) : toolIn(call.expression);
    const message = shorten(messageOf(problem)) + forgotten(problem);
    return [{ start: problem.start ?? 0, message, ...(tool === undefined ? {} : { tool }) }];
  });
}

/** TypeScript says beside the message that an `await` may be missing. */
function forgotten({ relatedInformation = [] }: ts.Diagnostic): string {
  const hint = relatedInformation.find(({ code }) => code === 2773);
  return hint === undefined ? "" : ` ${shorten(messageOf(hint))}`;
}

function missingAwait(call: ts.CallExpression, file: ts.SourceFile): Complaint {
  const callee = call.expression.getText(file).slice(0, 80);
  return {
    start: call.getStart(file),
    message: `Nobody waits for the promise of ${callee}(): write "await ${callee}(…)".`,
  };
}

function describeSyntax(code: string): TypeProblem[] {
  return syntaxProblems(code)
    .slice(0, PROBLEMS_LIMIT)
    .map((problem) => ({
      ...positionIn(code, problem.start),
      message: shorten(messageOf(problem)),
      isSyntax: true,
    }));
}

function place(
  problems: readonly Complaint[],
  code: string,
  { offset }: WrappedCode,
): TypeProblem[] {
  const seen = new Set<number>();
  return problems
    .filter(({ start }) => start >= offset && !seen.has(start) && seen.add(start))
    .toSorted((a, b) => a.start - b.start)
    .slice(0, PROBLEMS_LIMIT)
    .map(({ start, ...rest }) => ({ ...positionIn(code, start - offset), ...rest }));
}

/** Line and column from 1, and the line itself. */
function positionIn(code: string, at: number): Pick<TypeProblem, "line" | "column" | "source"> {
  const before = code.slice(0, Math.max(0, at)).split(/\r\n|[\n\r\u2028\u2029]/);
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  const source = code.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1] ?? "";
  return { line, column, source: source.trim().slice(0, 200) };
}

/** The innermost node that holds the whole span. */
function nodeAt(file: ts.SourceFile, start: number, length: number): ts.Node {
  let node: ts.Node = file;
  for (;;) {
    const inner = ts.forEachChild(node, (child) =>
      child.getStart(file) <= start && child.end >= start + length ? child : undefined,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

/** `tools.a.b` anywhere above or at a node: ["a", "b"], or ["a"] where that is all there is. */
function toolIn(node: ts.Node): readonly string[] | undefined {
  let top = node;
  while (!ts.isSourceFile(top.parent) && ts.isPropertyAccessExpression(top.parent))
    top = top.parent;
  const names: string[] = [];
  let at: ts.Node = top;
  while (ts.isPropertyAccessExpression(at)) {
    names.unshift(at.name.text);
    at = at.expression;
  }
  return ts.isIdentifier(at) && at.text === "tools" && names.length > 0
    ? names.slice(0, 2)
    : undefined;
}

function shorten(message: string): string {
  const text = message
    .split("\n")
    .slice(0, MESSAGE_LINES)
    .map((line) => line.trim())
    .join(" ");
  if (text.length <= MESSAGE_LIMIT_CHARACTERS) return text;
  return `${text.slice(0, MESSAGE_LIMIT_CHARACTERS)}…`;
}
