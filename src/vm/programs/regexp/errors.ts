/** A regular expression that is none, in GNU's words. */
export class RegExpSyntaxError extends Error {}

/** A pattern or a match beyond the limits. */
export class RegExpTooComplexError extends Error {
  constructor() {
    super("regular expression is too complex");
  }
}
