/** Long options in the order GNU's tools declare them, which is how an ambiguous one is answered. */
const orders: Readonly<Record<string, string>> = {
  b2sum: "length check ignore-missing quiet status warn strict tag zero binary text",
  base32: "decode wrap ignore-garbage",
  base64: "decode wrap ignore-garbage",
  basenc:
    "decode wrap ignore-garbage base64 base64url base32 base32hex base16 base2msbf base2lsbf z85",
  cat: "number-nonblank number squeeze-blank show-nonprinting show-ends show-tabs show-all",
  chgrp:
    "recursive changes dereference no-dereference no-preserve-root preserve-root quiet silent reference verbose",
  chmod: "changes recursive no-preserve-root preserve-root quiet reference silent verbose",
  chown:
    "recursive changes dereference from no-dereference no-preserve-root preserve-root quiet silent reference verbose",
  cksum: "length check ignore-missing quiet status warn strict tag zero algorithm debug untagged",
  cp: "archive attributes-only backup copy-contents dereference force interactive link no-clobber no-dereference no-preserve no-target-directory one-file-system parents path preserve recursive remove-destination sparse reflink strip-trailing-slashes suffix symbolic-link target-directory update verbose context",
  csplit: "digits quiet silent keep-files elide-empty-files prefix suffix-format suppress-matched",
  cut: "bytes characters fields delimiter only-delimited output-delimiter complement zero-terminated",
  date: "date debug file iso-8601 reference resolution rfc-email rfc-822 rfc-2822 rfc-3339 set uct utc universal",
  df: "all block-size inodes human-readable si local output portability print-type sync no-sync total type exclude-type",
  du: "all apparent-size block-size bytes count-links dereference dereference-args exclude exclude-from files0-from human-readable inodes si max-depth null no-dereference one-file-system separate-dirs summarize total threshold time time-style",
  env: "ignore-environment null unset chdir default-signal ignore-signal block-signal list-signal-handling debug split-string",
  expand: "tabs initial",
  factor: "",
  head: "bytes lines quiet silent verbose zero-terminated",
  id: "context group groups name real user zero",
  install:
    "backup compare context directory group mode no-target-directory owner preserve-timestamps preserve-context strip strip-program suffix target-directory verbose",
  join: "ignore-case check-order nocheck-order zero-terminated header",
  ln: "backup directory no-dereference no-target-directory force interactive suffix target-directory logical physical relative symbolic verbose",
  ls: "all escape directory dired full-time group-directories-first human-readable inode kibibytes numeric-uid-gid no-group hide-control-chars reverse size width almost-all ignore-backups classify file-type si dereference-command-line dereference-command-line-symlink-to-dir hide ignore indicator-style dereference literal quote-name quoting-style recursive format show-control-chars sort tabsize time time-style zero color hyperlink block-size context author",
  md5sum: "check ignore-missing quiet status warn strict tag zero binary text",
  mkdir: "context mode parents verbose",
  mkfifo: "context mode",
  mknod: "context mode",
  mktemp: "directory quiet dry-run suffix tmpdir",
  mv: "backup context force interactive no-clobber no-target-directory strip-trailing-slashes suffix target-directory update verbose",
  nl: "header-numbering body-numbering footer-numbering starting-line-number line-increment no-renumber join-blank-lines number-separator number-width number-format section-delimiter",
  numfmt:
    "from from-unit to to-unit round padding suffix grouping delimiter field debug header format invalid zero-terminated",
  od: "skip-bytes address-radix read-bytes format output-duplicates strings traditional width endian",
  paste: "serial delimiters zero-terminated",
  pr: "pages columns across show-control-chars double-space date-format expand-tabs form-feed header output-tabs join-lines length merge number-lines first-line-number indent no-file-warnings separator sep-string omit-header omit-pagination show-nonprinting width page-width",
  realpath:
    "canonicalize-existing canonicalize-missing relative-to relative-base quiet strip no-symlinks zero logical physical",
  rm: "force interactive one-file-system no-preserve-root preserve-root recursive dir verbose",
  rmdir: "ignore-fail-on-non-empty path parents verbose",
  seq: "equal-width format separator",
  sha1sum: "check ignore-missing quiet status warn strict tag zero binary text",
  sha256sum: "check ignore-missing quiet status warn strict tag zero binary text",
  sort: "ignore-leading-blanks check compress-program debug dictionary-order ignore-case files0-from general-numeric-sort ignore-nonprinting key merge month-sort numeric-sort human-numeric-sort version-sort random-sort random-source sort output reverse stable batch-size buffer-size field-separator temporary-directory unique zero-terminated parallel",
  split:
    "bytes lines line-bytes number elide-empty-files unbuffered suffix-length additional-suffix numeric-suffixes hex-suffixes filter verbose separator",
  stat: "dereference file-system format printf terse cached",
  tail: "bytes follow lines max-unchanged-stats pid quiet retry silent sleep-interval verbose zero-terminated",
  timeout: "kill-after signal verbose foreground preserve-status",
  touch: "time no-create date reference no-dereference",
  uname:
    "all kernel-name sysname nodename kernel-release release kernel-version machine processor hardware-platform operating-system",
  unexpand: "tabs all first-only",
  uniq: "count repeated all-repeated group ignore-case unique skip-fields skip-chars check-chars zero-terminated",
  wc: "bytes chars lines words debug files0-from max-line-length",
  xargs:
    "null arg-file delimiter eof replace max-lines max-args open-tty interactive no-run-if-empty max-chars verbose show-limits exit max-procs process-slot-var",
};

/** Sorts long names as the program of that name lists them; those it does not know come last. */
export function sortLongNames(program: string, names: readonly string[]): string[] {
  const order = (orders[program] ?? "").split(" ");
  const place = (name: string): number => {
    const at = order.indexOf(name);
    return at === -1 ? order.length : at;
  };
  return names.toSorted((a, b) => place(a) - place(b));
}
