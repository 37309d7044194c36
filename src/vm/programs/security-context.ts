import type { OptionRow } from "./options.ts";
import type { Run } from "./program.ts";

/** Files here have no security context: asking for one is at most warned about, as without SELinux. */
export const contextOptions: readonly OptionRow[] = [
  { short: "Z", help: "(ignored: files have no security context)" },
  {
    long: "context",
    value: "CTX",
    isOptional: true,
    help: "(ignored: files have no security context)",
  },
];

export async function warnContext(run: Run, kernel: "SELinux" | "SELinux/SMACK"): Promise<void> {
  if ((run.options.get("context") ?? "") === "") return;
  await run.warn(`warning: ignoring --context; it requires an ${kernel}-enabled kernel`);
}
