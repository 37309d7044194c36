/**
 * Globs of the policy: `*` matches within a path component, `**` across them, `?` one character.
 * `/a/**` matches `/a` itself and all below it. Matched by a walk over both texts, never by a
 * regular expression, so that no pattern can hang.
 */
export function matchesGlob(glob: string, text: string): boolean {
  if (glob.endsWith("/**") && matches(glob.slice(0, -3), text)) return true;
  return matches(glob, text);
}

interface Resume {
  readonly glob: number;
  text: number;
}

function matches(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star: Resume | undefined;
  let deepStar: Resume | undefined;
  while (t < text.length) {
    if (glob.startsWith("**", g)) {
      g += 2;
      deepStar = { glob: g, text: t };
      star = undefined;
    } else if (glob[g] === "*") {
      g += 1;
      star = { glob: g, text: t };
    } else if (glob[g] === text[t] || (glob[g] === "?" && text[t] !== "/")) {
      g += 1;
      t += 1;
    } else if (star !== undefined && text[star.text] !== "/") {
      star.text += 1;
      t = star.text;
      g = star.glob;
    } else if (deepStar !== undefined) {
      deepStar.text += 1;
      t = deepStar.text;
      g = deepStar.glob;
      star = undefined;
    } else {
      return false;
    }
  }
  while (glob[g] === "*") g += 1;
  return g === glob.length;
}
