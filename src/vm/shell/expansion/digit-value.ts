/** 0-9, a-z, A-Z, @ and _, as bash counts them; up to base 36 letters have no case. */
export function digitValue(digit: string, base: bigint): bigint | undefined {
  const order = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_";
  const at = order.indexOf(base <= 36n ? digit.toLowerCase() : digit);
  return at === -1 ? undefined : BigInt(at);
}
