/**
 * Which of TypeScript's complaints matter: code that would fail or go wrong when it runs. Plain JavaScript is
 * full of what TypeScript only frowns at (`parseInt(1)`, `error.code = 5`); none of that is reported.
 */
import ts from "typescript-6";

/** A name that nothing has. */
const unknownNames = new Set([2304, 2552, 18004]);
const CONSTANT_ASSIGNED = 2588;
const NOT_CALLABLE = 2349;
/** A property that a type does not have. */
const unknownProperties = new Set([2339, 2551, 2576]);
/** A value that does not fit where it is given. */
const misfits = new Set([
  2322, 2345, 2353, 2554, 2555, 2559, 2561, 2739, 2740, 2741, 2769, 2820, 2488, 2495, 2504, 2548,
  2549, 2763,
]);

export interface Judge {
  readonly checker: ts.TypeChecker;
  readonly isTypeScript: boolean;
  /** Whether a file holds declarations of ours. */
  readonly isOurs: (fileName: string) => boolean;
}

export function isRelevant(problem: ts.Diagnostic, node: ts.Node, judge: Judge): boolean {
  const { code } = problem;
  if (code === CONSTANT_ASSIGNED) return true;
  if (code === NOT_CALLABLE) return isForeign(node, judge);
  if (unknownNames.has(code)) return !isTypePosition(node) && !isSafeUse(node);
  if (unknownProperties.has(code)) return !isWritten(node) && isForeign(receiverOf(node), judge);
  if (!misfits.has(code)) return false;
  return judge.isTypeScript || /\bPromise</.test(messageOf(problem)) || isGivenToOurs(node, judge);
}

/** The whole message, its lines from the general to the particular. */
export function messageOf(problem: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(problem.messageText, "\n");
}

/** The call around a node whose callee is declared by us. */
export function findOurCall(node: ts.Node, judge: Judge): ts.CallExpression | undefined {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isCallExpression(at) && isOurCall(at, judge)) return at;
    // What a function does inside is not what it is given to.
    if (ts.isFunctionLike(at) && at !== node) return undefined;
  }
  return undefined;
}

export function isOurCall(call: ts.CallExpression, { checker, isOurs }: Judge): boolean {
  const declaration = checker.getResolvedSignature(call)?.declaration;
  return declaration !== undefined && isOurs(declaration.getSourceFile().fileName);
}

function isGivenToOurs(node: ts.Node, judge: Judge): boolean {
  return findOurCall(node, judge) !== undefined;
}

function isTypePosition(node: ts.Node): boolean {
  return ts.isPartOfTypeNode(node) || ts.isTypeReferenceNode(node.parent);
}

/** `typeof x` asks; `x = 1`, anywhere, makes. */
function isSafeUse(node: ts.Node): boolean {
  if (ts.isTypeOfExpression(node.parent)) return true;
  const name = node.getText();
  const makes = (at: ts.Node): boolean =>
    (ts.isIdentifier(at) && at.text === name && isWritten(at)) ||
    ts.forEachChild(at, makes) === true;
  return makes(node.getSourceFile());
}

/** Whether a value is assigned to the name or to the property that ends with it. */
function isWritten(node: ts.Node): boolean {
  const target = isProperty(node) ? node.parent : node;
  const { parent } = target;
  if (!ts.isBinaryExpression(parent) || parent.left !== target) return false;
  const { kind } = parent.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function isProperty(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
}

/** What the property is looked for in. */
function receiverOf(node: ts.Node): ts.Node {
  if (ts.isPropertyAccessExpression(node.parent)) return node.parent.expression;
  if (ts.isBindingElement(node.parent)) return node.parent.parent;
  return node;
}

/** Whether the type comes from us or from the language, not from the code, which may add to its own objects. */
function isForeign(node: ts.Node, judge: Judge): boolean {
  const type = judge.checker.getApparentType(judge.checker.getTypeAtLocation(node));
  return typesIn(type).some((part) => {
    const declarations = (part.aliasSymbol ?? part.symbol)?.declarations ?? [];
    return (
      declarations.length > 0 &&
      declarations.every((declaration) => !isCode(declaration.getSourceFile().fileName))
    );
  });
}

function typesIn(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function isCode(fileName: string): boolean {
  return fileName.startsWith("/code.");
}
