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

/**
 * What a glob says of the paths below a directory: it matches all of them, some or none. "some" is
 * also said where it cannot be told.
 */
export function reachBelow(glob: string, directory: string): "all" | "some" | "none" {
  if (glob === "*") return "all";
  const prefix = directory === "/" ? "/" : `${directory}/`;
  let places = withSkipped(glob, [0]);
  for (let at = 0; at < prefix.length; at++) {
    places = withSkipped(glob, advance(glob, places, prefix[at] ?? ""));
  }
  const rests = places.map((place) => glob.slice(place)).filter((rest) => rest !== "");
  if (rests.length === 0) return "none";
  return rests.some((rest) => /^\*{2,}$/.test(rest)) ? "all" : "some";
}

/** Of the texts that begin with `prefix` and have more: whether the glob matches all, some or none of them. No path has a part in it. */
export function reachBehind(glob: string, prefix: string): "all" | "some" | "none" {
  let places = withSkipped(glob, [0]);
  for (const text of prefix) places = withSkipped(glob, advance(glob, places, text));
  const rests = places.map((place) => glob.slice(place)).filter((rest) => rest !== "");
  if (rests.length === 0) return "none";
  return rests.some((rest) => /^\*+$/.test(rest)) ? "all" : "some";
}

/** The places in the glob after one more character of the text. */
function advance(glob: string, places: readonly number[], text: string): number[] {
  const next: number[] = [];
  for (const place of places) {
    const unit = glob[place];
    const isStar = unit === "*";
    if (isStar && (text !== "/" || glob[place + 1] === "*")) next.push(place);
    const isOne = unit === "?" && text !== "/";
    if (!isStar && (unit === text || isOne)) next.push(place + 1);
  }
  return next;
}

/** With the places behind stars, which may match nothing; each once. */
function withSkipped(glob: string, places: readonly number[]): number[] {
  const all = new Set<number>();
  for (let place of places) {
    all.add(place);
    while (glob[place] === "*") {
      place += glob[place + 1] === "*" ? 2 : 1;
      all.add(place);
    }
  }
  return [...all];
}
