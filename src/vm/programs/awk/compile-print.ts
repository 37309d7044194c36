/** `print` and `printf`, and where their output goes. */
import { after, type Code, workOut } from "./code.ts";
import type { Compiler } from "./compiler.ts";
import type { OutputKind } from "./files.ts";
import { numberText } from "./number-text.ts";
import type { OutputStream } from "./output-stream.ts";
import type { Runtime } from "./runtime.ts";
import { type Exec, NORMAL, type Signal } from "./signals.ts";
import type { Expr, Redirection, Statement } from "./syntax.ts";
import { InputText, toText, type Value } from "./value.ts";

type PrintNode = Extract<Statement, { kind: "print" | "printf" }>;

/** Numbers are shown by OFMT. */
function shown(rt: Runtime, value: Value): string {
  if (typeof value === "string") return value;
  if (value instanceof InputText) return value.text;
  return typeof value === "number"
    ? numberText(value, rt.outputFormat)
    : toText(value, rt.outputFormat);
}

export function compilePrint(compiler: Compiler, node: PrintNode): Exec {
  const { rt } = compiler;
  const codes = node.args.map((one) => compiler.expr(one));
  const make = (values: readonly Value[]): string => {
    let text = "";
    for (let at = 0; at < values.length; at++) {
      if (at > 0) text += rt.ofs;
      text += shown(rt, values[at]);
    }
    return text + rt.ors;
  };
  if (node.redirection === undefined) {
    const quick = quickPrint(rt, node, codes);
    if (quick !== undefined) return quick;
  }
  const all = codes.length === 0 ? [recordCode(rt)] : codes;
  return compileOutput(compiler, node, all, make);
}

function recordCode(rt: Runtime): Code {
  return { waits: true, value: () => rt.record.text };
}

/** `print` of what is text already, on fd 1. */
function quickPrint(rt: Runtime, node: PrintNode, codes: readonly Code[]): Exec | undefined {
  const { line } = node;
  const { stdout } = rt.files;
  if (codes.length === 0) {
    return () => {
      rt.line = line;
      stdout.add(rt.record.text + rt.ors);
      return NORMAL;
    };
  }
  const parts: (() => string)[] = [];
  for (const [at, code] of codes.entries()) {
    const expr = node.args[at];
    if (code.waits || expr === undefined) return undefined;
    parts.push(isText(expr) ? code.text : () => shown(rt, code.value()));
  }
  const [first] = parts;
  if (first !== undefined && parts.length === 1) {
    return () => {
      rt.line = line;
      stdout.add(first() + rt.ors);
      return NORMAL;
    };
  }
  return () => {
    rt.line = line;
    let text = "";
    for (let at = 0; at < parts.length; at++) {
      if (at > 0) text += rt.ofs;
      text += parts[at]?.() ?? "";
    }
    stdout.add(text + rt.ors);
    return NORMAL;
  };
}

/** Expressions that are no numbers, so that OFMT has no say. */
function isText(expr: Expr): boolean {
  if (expr.kind === "group") return isText(expr.inner);
  return expr.kind === "string" || expr.kind === "concat";
}

export function compilePrintf(compiler: Compiler, node: PrintNode): Exec {
  const { rt } = compiler;
  const codes = node.args.map((one) => compiler.expr(one));
  return compileOutput(compiler, node, codes, ([format, ...values]) =>
    rt.formatter.format(rt.text(format), values),
  );
}

function compileOutput(
  compiler: Compiler,
  node: PrintNode,
  codes: readonly Code[],
  make: (values: readonly Value[]) => string,
): Exec {
  const { rt } = compiler;
  const { line, redirection } = node;
  if (redirection === undefined) {
    const { stdout } = rt.files;
    return () => {
      rt.line = line;
      return after(workOut(codes), (values): Signal => {
        rt.line = line;
        stdout.add(make(values));
        return NORMAL;
      });
    };
  }
  const send = compileRedirection(compiler, redirection);
  return () => {
    rt.line = line;
    return after(workOut(codes), (values) => {
      rt.line = line;
      return send(make(values));
    });
  };
}

function compileRedirection(
  compiler: Compiler,
  { kind, to }: Redirection,
): (text: string) => Signal | Promise<Signal> {
  const { rt } = compiler;
  const { files } = rt;
  const target = compiler.expr(to);
  return (text) =>
    after(target.value(), (value) => {
      const name = rt.text(value);
      const stream = files.findOutput(kind, name);
      if (stream !== undefined && !stream.isUnbuffered) {
        stream.add(text);
        return NORMAL;
      }
      return openAndSend(rt, kind, name, text);
    });
}

async function openAndSend(
  rt: Runtime,
  kind: OutputKind,
  name: string,
  text: string,
): Promise<Signal> {
  const stream: OutputStream = await rt.files.openOutput(kind, name);
  stream.add(text);
  if (stream.isUnbuffered || kind === "|&") await stream.flush();
  return NORMAL;
}
