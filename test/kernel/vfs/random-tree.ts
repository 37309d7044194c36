import fc from "fast-check";

/** One thing to make; what cannot be made where it is asked for is left out, on every side. */
export interface TreeEntry {
  readonly kind: "directory" | "file" | "symlink";
  /** Below the tree's root, without a slash in front. */
  readonly path: string;
  readonly target: string;
}

const name = fc.constantFrom("a", "b", "c", "d");
const part = fc.oneof(
  { weight: 8, arbitrary: name },
  { weight: 2, arbitrary: fc.constantFrom("..", ".", "") },
);

/** Paths that go up, stand still, end in slashes. */
export const randomPath: fc.Arbitrary<string> = fc
  .array(part, { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join("/"));

/**
 * A small tree in which names often meet. Links lead anywhere in it, `root` in front of some.
 */
export function randomTree(root: string): fc.Arbitrary<TreeEntry[]> {
  const target = fc.oneof(
    { weight: 3, arbitrary: randomPath.filter((path) => path !== "") },
    { weight: 1, arbitrary: randomPath.map((path) => `${root}/${path}`) },
  );
  const entry = fc.record({
    kind: fc.constantFrom(
      "directory" as const,
      "directory" as const,
      "file" as const,
      "symlink" as const,
    ),
    path: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
    target,
  });
  return fc.array(entry, { minLength: 3, maxLength: 14 });
}
