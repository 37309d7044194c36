/** The code as the VM runs it, an expression or the body of an async function, for TypeScript's eyes. */
import ts from "typescript-6";

export interface WrappedCode {
  readonly text: string;
  /** What comes before the code in `text`. */
  readonly offset: number;
  readonly isTypeScript: boolean;
}

/** The form that parses, an expression first, as the VM tries them; undefined where neither does. */
export function wrapCode(code: string): WrappedCode | undefined {
  for (const [before, after] of forms) {
    const text = before + code + after;
    const file = ts.createSourceFile("/code.ts", text, ts.ScriptTarget.ESNext, false);
    if (hasSyntaxErrors(file)) continue;
    return { text, offset: before.length, isTypeScript: hasTypes(file) };
  }
  return undefined;
}

/** What is wrong with code that neither form takes, as a function's body. */
export function syntaxProblems(code: string): readonly ts.DiagnosticWithLocation[] {
  const [, [before, after]] = forms;
  const { diagnostics = [] } = ts.transpileModule(before + code + after, {
    fileName: "/code.ts",
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  return diagnostics
    .filter(isLocated)
    .map((problem) => ({ ...problem, start: problem.start - before.length }));
}

const forms = [
  ["(async () => (\n", "\n))();"],
  ["(async () => {\n", "\n})();"],
] as const;

function isLocated(problem: ts.Diagnostic): problem is ts.DiagnosticWithLocation {
  return problem.start !== undefined && problem.file !== undefined && problem.length !== undefined;
}

/** The parser keeps what it met beside the tree, under a name that its types do not have. */
function hasSyntaxErrors(file: ts.SourceFile): boolean {
  const problems: unknown = Reflect.get(file, "parseDiagnostics");
  return Array.isArray(problems) && problems.length > 0;
}

/** Whether there is anything that JavaScript does not have. */
function hasTypes(file: ts.SourceFile): boolean {
  const isTyped = (node: ts.Node): boolean =>
    (ts.isTypeNode(node) && !isHeritage(node)) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.forEachChild(node, isTyped) === true;
  return isTyped(file);
}

/** `extends Error` is JavaScript, `extends Array<string>` is not. */
function isHeritage(node: ts.TypeNode): boolean {
  return ts.isExpressionWithTypeArguments(node) && node.typeArguments === undefined;
}
