/** Comparisons of `(( ))`, `[[ ]]` and `test`, under either of their names. */
export function compareIntegers(operator: string, left: bigint, right: bigint): boolean {
  switch (operator) {
    case "==":
    case "-eq":
      return left === right;
    case "!=":
    case "-ne":
      return left !== right;
    case "<":
    case "-lt":
      return left < right;
    case "<=":
    case "-le":
      return left <= right;
    case ">":
    case "-gt":
      return left > right;
    default:
      return left >= right;
  }
}
