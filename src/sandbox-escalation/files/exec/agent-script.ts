/**
 * The other end of ExecFiles: a script for any POSIX sh with coreutils or busybox. It reads a line for each
 * call, words parted by spaces: an operation and fields as `encodeField` makes them. It answers each with one
 * line: `ok` and a word or more, or `no` and what the failing program said, as base64. So nothing that a file
 * is called or holds can be taken for an answer.
 *
 * Paths begin with `./`, so none is an option. Changes that a program would do differently from its system
 * call (`mv` into a directory, `ln` likewise) are looked at first.
 */
export const agentScript = String.raw`
LC_ALL=C; export LC_ALL; umask 0
cd "$1" || exit 1
case $(stat -c %.9Y . 2>/dev/null) in
  *[!0-9.]*|'') F='%f %s %h %i %b %X %Y %Z' ;;
  *) F='%f %s %h %i %b %.9X %.9Y %.9Z' ;;
esac
b64() { base64 | tr -d '\n'; }
text() { v=$(printf '%bx' "$1"); v=${"${v%x}"}; }
no() { printf 'no %s\n' "$(printf '%s' "$1" | b64)"; }
ok() { printf 'ok %s\n' "$1"; }
there() { [ -e "$1" ] || [ -L "$1" ]; }
dir() { [ -d "$1" ] && [ ! -L "$1" ]; }
file() { [ -f "$1" ] && [ ! -L "$1" ]; }
# Runs a program; answers with its last words when it fails.
try() { if e=$("$@" 2>&1 >/dev/null); then return 0; fi; no "$e"; return 1; }
facts() { if e=$(stat -c "$F" -- "$1" 2>&1); then ok "$e"; else no "$e"; fi; }
put() {
  n=$3; k=$(( (n + 4095) / 4096 ))
  if file "$1"; then
    if [ "$2" = end ]; then
      e=$( { dd bs=4096 count=$k iflag=fullblock 2>/dev/null | head -c "$n" | cat >> "$1"; } 2>&1 )
    else
      e=$( { dd bs=4096 count=$k iflag=fullblock 2>/dev/null | head -c "$n" |
        dd of="$1" ibs=65536 obs="$4" seek=$(( $2 / $4 )) conv=notrunc 2>&1 | grep -v -e records -e copied; } 2>&1 )
    fi
    if [ -z "$e" ]; then ok "$(stat -c %s -- "$1")"; else no "$e"; fi
  else
    dd bs=4096 count=$k iflag=fullblock >/dev/null 2>&1
    no 'Invalid argument'
  fi
}
list() {
  if ! dir "$1"; then no 'Not a directory'; return; fi
  ( cd "$1" || exit 1
    set --
    for f in * .[!.]* ..?*; do if there "$f"; then set -- "$@" "./$f"; fi; done
    if [ $# = 0 ]; then ok '= ='; exit; fi
    a=$(printf '%s\0' "$@" | b64)
    s=$(printf '%s\0' "$@" | xargs -0 stat -c "$F %n" -- 2>/dev/null | b64)
    ok "$a= $s=" )
}
move() {
  if ! there "$1"; then no 'No such file or directory'; return; fi
  if there "$2"; then
    if [ "$(stat -c %d:%i -- "$1")" = "$(stat -c %d:%i -- "$2")" ]; then ok; return; fi
    if dir "$2"; then
      case "$1" in "$2"/*) no 'Directory not empty'; return ;; esac
      if ! dir "$1"; then no 'Is a directory'; return; fi
      try rmdir -- "$2" || return
    elif dir "$1"; then no 'Not a directory'; return
    fi
  fi
  try mv -f -- "$1" "$2" && ok
}
while IFS=' ' read -r op a b c d; do
  text "$a"; p=$v
  case $op in
    stat) facts "$p" ;;
    link) if [ -L "$p" ]; then ok "$(readlink -- "$p" | b64)="; else no 'Invalid argument'; fi ;;
    list) list "$p" ;;
    read) if file "$p"; then
        if [ -r "$p" ]; then ok "$(tail -c "+$(( b + 1 ))" -- "$p" | head -c "$c" | b64)="; else no 'Permission denied'; fi
      else no 'Invalid argument'; fi ;;
    write) put "$p" "$b" "$c" "$d" ;;
    cut) if file "$p"; then try dd if=/dev/null of="$p" bs=1 seek="$b" && ok; else no 'Invalid argument'; fi ;;
    file) if there "$p"; then no 'File exists'
      elif ! dir "${"${p%/*}"}"; then no 'No such file or directory'
      elif ! e=$( { umask "$c"; set -C; : > "$p"; } 2>&1 ); then no "$e"
      elif [ "$d" = plain ]; then facts "$p"
      else try chmod "$b" -- "$p" && facts "$p"; fi ;;
    dir) try mkdir -- "$p" && try chmod "$b" -- "$p" && facts "$p" ;;
    sym) if there "$p"; then no 'File exists'; else text "$b"; try ln -s -- "$v" "$p" && facts "$p"; fi ;;
    hard) text "$b"; if there "$v"; then no 'File exists'; else try ln -- "$p" "$v" && facts "$v"; fi ;;
    rm) if ! there "$p"; then no 'No such file or directory'; elif dir "$p"; then no 'Is a directory'; else try rm -f -- "$p" && ok; fi ;;
    rmdir) if there "$p" && ! dir "$p"; then no 'Not a directory'; else try rmdir -- "$p" && ok; fi ;;
    mv) text "$b"; move "$p" "$v" ;;
    mode) if [ -L "$p" ]; then ok; else try chmod "$b" -- "$p" && ok; fi ;;
    atime) try touch -h -a -d "@$b" -- "$p" && ok ;;
    mtime) try touch -h -m -d "@$b" -- "$p" && ok ;;
    room) if e=$(stat -f -c '%S %b %a %c %d' . 2>&1); then ok "$e"; else no "$e"; fi ;;
    *) no 'Function not implemented' ;;
  esac
done
`;

/** A field as the script's `text` reads it: what is no plain character is an octal number. */
export function encodeField(bytes: Uint8Array): string {
  let field = "";
  for (const byte of bytes) {
    const isPlain =
      (byte >= 0x30 && byte <= 0x39) ||
      (byte >= 0x41 && byte <= 0x5a) ||
      (byte >= 0x61 && byte <= 0x7a) ||
      byte === 0x2e ||
      byte === 0x2f ||
      byte === 0x2d ||
      byte === 0x5f;
    field += isPlain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, "0")}`;
  }
  return field;
}
