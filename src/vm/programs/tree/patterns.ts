import { SafeRegExp } from "../safe-regexp.ts";

/** A shell pattern with `|` between alternatives. */
export function globRegExp(pattern: string, isFolded: boolean): SafeRegExp {
  const source = pattern
    .replaceAll(/\*+/g, "*")
    .replaceAll("[!", "[^")
    .replaceAll(/\[[^\]]+\]|[^]/g, (piece) => {
      if (piece === "*") return "[^]*";
      if (piece === "?") return "[^]";
      if (piece === "|") return "|";
      if (piece.length > 1) return piece.replaceAll("\\", "\\\\");
      return piece.replaceAll(/[.+^${}()[\]\\]/g, "\\$&");
    });
  return compile(`^(?:${source})$`, isFolded ? "i" : "");
}

/** A range that runs backwards matches nothing. */
function compile(source: string, flags: string): SafeRegExp {
  try {
    return new SafeRegExp(source, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return new SafeRegExp("$^", flags);
    throw error;
  }
}
