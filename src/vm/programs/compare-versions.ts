/** Names with versions in them, as GNU's filevercmp orders them: runs of digits are numbers. */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "") return -1;
  if (b === "") return 1;
  const rank = dotRank(a) - dotRank(b);
  if (rank !== 0) return rank;
  const one = withoutSuffix(a);
  const two = withoutSuffix(b);
  return compareParts(one, two) || compareParts(a, b);
}

/** Names that start with a dot come first, `.` and `..` before the others. */
function dotRank(name: string): number {
  if (name === ".") return 0;
  if (name === "..") return 1;
  return name.startsWith(".") ? 2 : 3;
}

/** Without endings like `.tar.gz`, each a dot, a letter, and letters or digits. */
function withoutSuffix(name: string): string {
  let end = 0;
  for (let at = 0; at < name.length; ) {
    at += 1;
    end = at;
    while (name[at] === "." && /[A-Za-z~]/.test(name[at + 1] ?? "")) {
      at += 2;
      while (/[A-Za-z0-9~]/.test(name[at] ?? "")) at += 1;
    }
  }
  return name.slice(0, end);
}

function compareParts(a: string, b: string): number {
  let one = 0;
  let two = 0;
  while (one < a.length || two < b.length) {
    while (
      (one < a.length && !isDigit(a.charCodeAt(one))) ||
      (two < b.length && !isDigit(b.charCodeAt(two)))
    ) {
      const difference = weight(a, one) - weight(b, two);
      if (difference !== 0) return difference;
      one += 1;
      two += 1;
    }
    const endOne = digitsEnd(a, one);
    const endTwo = digitsEnd(b, two);
    const difference = compareDigits(a.slice(one, endOne), b.slice(two, endTwo));
    if (difference !== 0) return difference;
    one = endOne;
    two = endTwo;
  }
  return 0;
}

/** The end is before everything but `~`; letters are before what is no letter. */
function weight(text: string, at: number): number {
  if (at >= text.length) return -1;
  const code = text.charCodeAt(at);
  if (isDigit(code)) return 0;
  if (text[at] === "~") return -2;
  return /[A-Za-z]/.test(text[at] ?? "") ? code : code + 256;
}

function compareDigits(a: string, b: string): number {
  const one = a.replace(/^0+/, "");
  const two = b.replace(/^0+/, "");
  if (one.length !== two.length) return one.length - two.length;
  return one < two ? -1 : one > two ? 1 : 0;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
