// What Node's per-context scripts export: DOMException, emitMessage and the like.

type Any = any;

export const perContext: Record<string, Any> = Object.create(null);

export function setPerContext(exports: Record<string, Any>): void {
  Object.assign(perContext, exports);
}

/** The error of values that can not be cloned or transferred. */
export function dataCloneError(message: string): Error {
  return new perContext["DOMException"](message, "DataCloneError");
}
