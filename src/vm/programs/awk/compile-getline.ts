/** `getline` in all its forms. */
import { isKernelError } from "../../../kernel/index.ts";
import { errorWords } from "../program.ts";
import { type Code, lift, type Ready } from "./code.ts";
import { compilePlace, type PlaceCode, targetOperands } from "./compile-place.ts";
import type { Compiler } from "./compiler.ts";
import type { Reader } from "./reader.ts";
import type { Runtime } from "./runtime.ts";
import type { GetlineNode } from "./syntax.ts";
import { InputText, type Value } from "./value.ts";

export function compileGetline(compiler: Compiler, node: GetlineNode): Code {
  const { rt } = compiler;
  const source = node.source === undefined ? [] : [compiler.expr(node.source)];
  const places = node.target === undefined ? [] : targetOperands(compiler, node.target);
  const built = (operands: readonly Ready[]): Code => {
    const place =
      node.target === undefined
        ? undefined
        : compilePlace(compiler, node.target, operands.slice(source.length));
    const [name] = source.length === 0 ? [] : operands;
    return { waits: true, value: () => getline(rt, node, name?.text() ?? "", place) };
  };
  return lift(rt, [...source, ...places], built);
}

function getline(
  rt: Runtime,
  node: GetlineNode,
  name: string,
  place: PlaceCode | undefined,
): Value | Promise<Value> {
  if (node.from === "main") return fromMain(rt, place);
  const reader = rt.files.findInput(node.from, name);
  return reader === undefined || node.from === "coprocess"
    ? openAndRead(rt, node, name, place)
    : fromReader(rt, reader, node, place);
}

function fromMain(rt: Runtime, place: PlaceCode | undefined): Value | Promise<Value> {
  const finish = (hasRecord: boolean): number => {
    if (!hasRecord) return 0;
    rt.nr += 1;
    rt.fnr += 1;
    store(rt, rt.input.current(), place);
    return 1;
  };
  const found = rt.input.next();
  return typeof found === "boolean" ? finish(found) : found.then(finish);
}

/** gawk's numbers: 1 for a record, 0 for the end, -1 for what cannot be read. */
async function openAndRead(
  rt: Runtime,
  node: GetlineNode,
  name: string,
  place: PlaceCode | undefined,
): Promise<Value> {
  try {
    const reader = await open(rt, node, name);
    return reader === undefined ? -1 : await fromReader(rt, reader, node, place);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    rt.setErrno(errorWords(error));
    return -1;
  }
}

async function open(rt: Runtime, node: GetlineNode, name: string): Promise<Reader | undefined> {
  if (node.from === "file") return rt.files.inputFile(name);
  return node.from === "command" ? rt.files.inputCommand(name) : rt.files.inputCoprocess(name);
}

function fromReader(
  rt: Runtime,
  reader: Reader,
  node: GetlineNode,
  place: PlaceCode | undefined,
): Value | Promise<Value> {
  const finish = (hasRecord: boolean): number => {
    if (!hasRecord) return 0;
    rt.terminator = reader.terminator;
    store(rt, reader, place);
    return 1;
  };
  const found = reader.next(rt.separator);
  if (typeof found === "boolean") return finish(found);
  return found.then(finish, (error: unknown) => {
    if (!isKernelError(error)) throw error;
    rt.setErrno(errorWords(error));
    return -1;
  });
}

function store(rt: Runtime, reader: Reader, place: PlaceCode | undefined): void {
  const { block, start, end } = reader;
  if (place === undefined) rt.record.setPart(block, start, end);
  else place.store(new InputText(block.slice(start, end)));
}
