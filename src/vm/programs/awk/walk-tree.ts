/** Visits the expressions of a program. */
import type { Expr, Pattern, Statement } from "./syntax.ts";

/** The expressions right below one. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "number":
    case "string":
    case "regexp":
    case "variable":
      return [];
    case "element":
      return [expr.base, ...expr.index];
    case "field":
      return [expr.index];
    case "assign":
      return [expr.target, expr.value];
    case "step":
      return [expr.target];
    case "unary":
      return [expr.operand];
    case "choose":
      return [expr.test, expr.yes, expr.no];
    case "in":
      return [...expr.index, expr.array];
    case "group":
      return [expr.inner];
    case "list":
      return expr.items;
    case "call":
    case "builtin":
      return expr.args;
    case "getline":
      return [expr.source, expr.target].filter((one) => one !== undefined);
    case "arithmetic":
    case "and":
    case "or":
    case "match":
    case "concat":
    case "compare":
      return [expr.left, expr.right];
  }
}

export function visitExpr(expr: Expr, visit: (expr: Expr) => void): void {
  visit(expr);
  for (const child of childrenOf(expr)) visitExpr(child, visit);
}

/** Calls back with every expression of a statement. */
export function visitStatement(statement: Statement, visit: (expr: Expr) => void): void {
  for (const expr of expressionsOf(statement)) visitExpr(expr, visit);
  for (const child of statementsIn(statement)) visitStatement(child, visit);
}

/** The statements right below one. */
export function statementsIn(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case "block":
      return statement.body;
    case "if":
      return statement.no === undefined ? [statement.yes] : [statement.yes, statement.no];
    case "while":
    case "do":
    case "for-in":
      return [statement.body];
    case "for":
      return [statement.start, statement.step, statement.body].filter((one) => one !== undefined);
    case "switch":
      return statement.cases.flatMap(({ body }) => body);
    default:
      return [];
  }
}

/** The expressions right below a statement. */
function expressionsOf(statement: Statement): readonly Expr[] {
  const some = (...list: readonly (Expr | undefined)[]): readonly Expr[] =>
    list.filter((one) => one !== undefined);
  switch (statement.kind) {
    case "expression":
      return [statement.expr];
    case "print":
    case "printf":
      return some(...statement.args, statement.redirection?.to);
    case "if":
    case "while":
    case "do":
    case "for":
      return some(statement.test);
    case "for-in":
      return [statement.target, statement.array];
    case "switch":
      return some(statement.value, ...statement.cases.map(({ value }) => value));
    case "exit":
    case "return":
      return some(statement.value);
    case "delete":
      return some(statement.array, ...(statement.index ?? []));
    default:
      return [];
  }
}

export function visitPattern(pattern: Pattern, visit: (expr: Expr) => void): void {
  if (pattern.kind === "expr") visitExpr(pattern.expr, visit);
  if (pattern.kind === "range") {
    visitExpr(pattern.from, visit);
    visitExpr(pattern.to, visit);
  }
}
