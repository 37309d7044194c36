/** Calls of ours whose promise nobody waits for: the code would end, or go on, without them. */
import ts from "typescript-6";
import { isOurCall, type Judge } from "./relevant.ts";

/** The calls in the file that need an `await`. `offset` is where the code begins. */
export function findMissingAwaits(file: ts.SourceFile, judge: Judge): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isDropped(node) && isOurPromise(node, judge)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isOurPromise(call: ts.CallExpression, judge: Judge): boolean {
  if (!isOurCall(call, judge)) return false;
  return judge.checker.getTypeAtLocation(call).symbol?.name === "Promise";
}

/** Whether a value is used where a promise makes no sense, or not at all. */
function isDropped(call: ts.CallExpression): boolean {
  const { parent } = call;
  if (ts.isExpressionStatement(parent) || ts.isTemplateSpan(parent)) return true;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === call;
  if (ts.isPrefixUnaryExpression(parent)) return true;
  if (ts.isConditionalExpression(parent)) return parent.condition === call;
  return ts.isBinaryExpression(parent) && comparing.has(parent.operatorToken.kind);
}

const comparing = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
