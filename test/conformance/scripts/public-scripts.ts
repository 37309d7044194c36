// Shell scripts of public projects, as Debian's packages have them, and how each is run: the same
// commands under the host's bash and in a VM. None of them is in this repository:
// `scripts/fetch-public-scripts.mjs` unpacks the packages.

export interface PublicScript {
  readonly title: string;
  /** What is copied into the VM, from the folder the packages are unpacked in. */
  readonly paths: readonly string[];
  /** For `bash -c`, in an empty directory; `$S` is that folder. */
  readonly commands: string;
}

export const packages = [
  "autotools-dev",
  "automake",
  "libtool",
  "gettext",
  "git",
  "gzip",
  "xz-utils",
  "bzip2",
  "debianutils",
  "shunit2",
  "bats",
  "bash-completion",
  "devscripts",
  "neofetch",
  "screenfetch",
] as const;

const automake = "usr/share/automake-1.16";

export const publicScripts: readonly PublicScript[] = [
  {
    title: "config.sub names systems",
    paths: ["usr/share/misc/config.sub"],
    commands:
      "for m in i386 sun4 amd64-linux x86_64-unknown-linux-gnu arm64-darwin mips-sgi-irix6 powerpc-apple-macosx10 sparc-sun-solaris2.10 riscv64 wasm32-wasi nope-nope-nope ''; do sh $S/usr/share/misc/config.sub $m; echo $?; done; sh $S/usr/share/misc/config.sub --help; sh $S/usr/share/misc/config.sub --version; sh $S/usr/share/misc/config.sub --bad; sh $S/usr/share/misc/config.sub a b",
  },
  {
    title: "config.guess tells the system",
    paths: ["usr/share/misc/config.guess"],
    commands:
      "sh $S/usr/share/misc/config.guess; echo $?; sh $S/usr/share/misc/config.guess --help; sh $S/usr/share/misc/config.guess --version; sh $S/usr/share/misc/config.guess --bad; echo $?",
  },
  {
    title: "install-sh installs files and directories",
    paths: [`${automake}/install-sh`],
    commands: `I=$S/${automake}/install-sh; echo a > a; echo b > b; sh $I -d x/y/z; sh $I -c -m 644 a x/a; sh $I -m 755 b x/y; sh $I -C a x/a; sh $I -d -m 700 q; find . | sort; stat -c '%n %a' x/a x/y/b q; cat x/a x/y/b; sh $I; echo $?; sh $I nope x; echo $?; sh $I --help; sh $I --version; sh $I -t x/y a b; ls x/y; sh $I -T a x; echo $?; sh $I -z; echo $?; DESTDIR=d sh $I -v a c; ls`,
  },
  {
    title: "mkinstalldirs makes directories",
    paths: [`${automake}/mkinstalldirs`],
    commands: `M=$S/${automake}/mkinstalldirs; sh $M a/b c; sh $M a/b; sh $M -m 700 d/e; stat -c %a d/e; sh $M --help; sh $M --version; touch f; sh $M f/x; echo $?; ls -R`,
  },
  {
    title: "missing says which program is not there",
    paths: [`${automake}/missing`],
    commands: `M=$S/${automake}/missing; sh $M nosuchprogram --version; echo $?; sh $M --is-lightweight; echo $?; sh $M true; echo $?; sh $M sh -c 'exit 3'; echo $?; sh $M; echo $?; sh $M --help; sh $M --version; sh $M --bad; echo $?; sh $M flex-nosuch; echo $?`,
  },
  {
    title: "test-driver runs tests and keeps their logs",
    paths: [`${automake}/test-driver`],
    commands: `T=$S/${automake}/test-driver; for n in 0 1 77 99 3; do sh $T --test-name t$n --log-file t$n.log --trs-file t$n.trs --color-tests no --expect-failure no --enable-hard-errors yes -- sh -c "echo out; exit $n"; done; sh $T --test-name x --log-file x.log --trs-file x.trs --color-tests yes --expect-failure yes --enable-hard-errors no -- false; head -20 *.log *.trs; sh $T; echo $?; sh $T --help | head -5`,
  },
  {
    title: "tap-driver.sh reads TAP with awk",
    paths: [`${automake}/tap-driver.sh`],
    commands: `T=$S/${automake}/tap-driver.sh; printf '#!/bin/sh\\necho 1..4\\necho ok 1 - first\\necho not ok 2 - second\\necho ok 3 second \\\\# TODO later\\necho ok 4 \\\\# SKIP no\\necho hello\\n' > t.sh; chmod +x t.sh; sh $T --test-name t --log-file t.log --trs-file t.trs --color-tests no --expect-failure no -- ./t.sh; cat t.log t.trs; printf '#!/bin/sh\\necho 1..2\\necho ok\\necho Bail out! now\\n' > u.sh; chmod +x u.sh; sh $T --test-name u --log-file u.log --trs-file u.trs --color-tests yes --expect-failure no --comments -- ./u.sh; cat u.trs; sh $T --help | head -3; sh $T; echo $?`,
  },
  {
    title: "mdate-sh shows when a file was changed",
    paths: [`${automake}/mdate-sh`],
    commands: `M=$S/${automake}/mdate-sh; touch -d '2020-03-04 05:06' f; sh $M f; touch -d '1999-12-31' g; sh $M g; sh $M; echo $?; sh $M --help; sh $M nope; echo $?`,
  },
  {
    title: "depcomp keeps dependencies",
    paths: [`${automake}/depcomp`],
    commands: `D=$S/${automake}/depcomp; source=a.c object=a.o depmode=none sh $D echo cc -c a.c; echo $?; source=a.c object=sub/a.o libtool=no depmode=gcc3 depfile=d.Po tmpdepfile=d.TPo sh $D sh -c 'printf "a.o: a.c b.h \\\\\\\\\\n c.h\\n" > d.TPo' ; cat d.Po; echo $?; sh $D --help; sh $D; echo $?; sh $D --version; source=a object=b sh $D; echo $?`,
  },
  {
    title: "compile puts -c and -o together",
    paths: [`${automake}/compile`],
    commands: `C=$S/${automake}/compile; printf '#!/bin/sh\\necho "cc $@"; for a; do case $a in *.c) touch "$(basename $a .c).o";; esac; done\\n' > cc; chmod +x cc; mkdir sub; touch sub/a.c; sh $C ./cc -c -o sub/x.o sub/a.c; find . | sort; sh $C ./cc a.o -o prog; sh $C; echo $?; sh $C --help; sh $C --version; printf '#!/bin/sh\\necho "$@"\\n' > cl; chmod +x cl; PATH=.:$PATH sh $C cl -c -Ifoo -Lbar -lbaz -o x.obj x.cxx; echo $?`,
  },
  {
    title: "ylwrap renames what a parser generator writes",
    paths: [`${automake}/ylwrap`],
    commands: `Y=$S/${automake}/ylwrap; printf '#!/bin/sh\\nprintf "#line 1 \\"%%s\\"\\n#include \\"y.tab.h\\"\\nY_TAB_H\\n" "$1" > y.tab.c; printf "#ifndef Y_TAB_H\\n#define Y_TAB_H\\n#endif\\n" > y.tab.h\\n' > yy; chmod +x yy; echo grammar > in.y; sh $Y in.y y.tab.c out.c y.tab.h out.h -- $PWD/yy | sed "s,$PWD,PWD,g"; ls; sed "s,$PWD,PWD,g" out.c out.h; sh $Y in.y y.tab.c out.c y.tab.h out.h -- $PWD/yy | sed "s,$PWD,PWD,g"; sh $Y; echo $?; sh $Y --help; sh $Y --version`,
  },
  {
    title: "ar-lib turns ar into lib",
    paths: [`${automake}/ar-lib`],
    commands: `A=$S/${automake}/ar-lib; printf '#!/bin/sh\\necho "lib $@"\\n' > lib; chmod +x lib; touch a.o b.o; sh $A ./lib cru x.lib a.o b.o; sh $A ./lib t x.lib; sh $A ./lib x y.lib; echo $?; sh $A ./lib q; echo $?; sh $A; echo $?; sh $A --help; sh $A --version; sh $A ./lib z x.lib; echo $?`,
  },
  {
    title: "py-compile finds its way without Python",
    paths: [`${automake}/py-compile`],
    commands: `P=$S/${automake}/py-compile; sh $P --help; sh $P --version; sh $P; echo $?; sh $P --basedir; echo $?; PYTHON=: sh $P a.py b.py; echo $?; sh $P --destdir d --basedir b; echo $?; sh $P --bad; echo $?`,
  },
  {
    title: "ltmain.sh, libtool's body, says what it would do",
    paths: ["usr/share/libtool/build-aux/ltmain.sh"],
    commands:
      'L=$S/usr/share/libtool/build-aux/ltmain.sh; bash $L --help; bash $L --version; bash $L; echo $?; bash $L --mode=compile --help; bash $L --mode=link --help | head -20; bash $L --mode=nope; echo $?; bash $L --mode=install; echo $?; touch x.lo; bash $L --mode=clean rm -f x.lo; ls; bash $L --bad 2>&1 | head -5; bash $L --config 2>&1 | head -3; bash $L -n --mode=finish $PWD | sed "s,$PWD,PWD,g"',
  },
  {
    title: "libtoolize helps itself",
    paths: ["usr/bin/libtoolize", "usr/share/libtool/build-aux/ltmain.sh"],
    commands:
      'L=$S/usr/bin/libtoolize; bash $L --help; bash $L --version | head -3; bash $L --bad; echo $?; bash $L --dry-run; echo $?; bash $L --copy --force --dry-run --verbose 2>&1 | sed "s,$PWD,PWD,g"',
  },
  {
    title: "gettextize explains itself",
    paths: ["usr/bin/gettextize"],
    commands:
      "G=$S/usr/bin/gettextize; sh $G --help; sh $G --version; sh $G; echo $?; sh $G --bad; echo $?; touch configure.ac; sh $G --dry-run 2>&1 | head -5",
  },
  {
    title: "config.rpath computes linker flags",
    paths: ["usr/share/gettext/config.rpath"],
    commands:
      "C=$S/usr/share/gettext/config.rpath; CC=nosuchcc GCC=yes LD=nosuchld with_gnu_ld=yes LDFLAGS= host=x86_64-pc-linux-gnu sh $C x86_64-pc-linux-gnu; for h in i686-pc-cygwin powerpc-ibm-aix7 x86_64-apple-darwin20 sparc-sun-solaris2.11 hppa-hp-hpux11; do CC=nosuchcc GCC=no LD=nosuchld with_gnu_ld=no sh $C $h; done",
  },
  {
    title: "zgrep, zdiff, znew, zforce and gzexe work on compressed files",
    paths: [
      "bin/zgrep",
      "bin/zdiff",
      "bin/zcmp",
      "bin/znew",
      "bin/zforce",
      "bin/zfgrep",
      "bin/zegrep",
      "bin/zmore",
      "bin/gunzip",
      "bin/uncompress",
    ],
    commands:
      "B=$S/bin; PATH=$B:$PATH; seq 20 > a; seq 3 20 > b; gzip -nk a; gzip -nk b; sh $B/zgrep 1 a.gz | head -3; sh $B/zgrep -c 1 a.gz b.gz; sh $B/zgrep -l 20 a.gz b.gz; sh $B/zgrep nope a.gz; echo $?; sh $B/zgrep -e 7 -e 8 a.gz; sh $B/zgrep; echo $?; sh $B/zdiff a.gz b.gz; echo $?; sh $B/zdiff a.gz a; echo $?; sh $B/zcmp a.gz b.gz; sh $B/zforce a.gz; ls; sh $B/zgrep --help | head -3; sh $B/zgrep --version | head -1; cp a.gz noext; sh $B/zforce noext; ls; sh $B/zfgrep -n 5 a.gz; sh $B/gunzip -c b.gz | tail -1",
  },
  {
    title: "xzgrep and xzdiff choose the program by the name",
    paths: ["usr/bin/xzgrep", "usr/bin/xzdiff"],
    commands:
      "X=$S/usr/bin; seq 20 > a; seq 3 20 > b; gzip -nk a; gzip -nk b; sh $X/xzgrep 1 a.gz | head -3; sh $X/xzgrep -c 1 a.gz b; sh $X/xzgrep -l 20 a.gz b.gz; sh $X/xzgrep nope a; echo $?; sh $X/xzgrep; echo $?; sh $X/xzdiff a.gz b.gz; echo $?; sh $X/xzdiff a a.gz; echo $?; sh $X/xzgrep --help | head -3",
  },
  {
    title: "bzgrep, bzdiff and bzmore",
    paths: ["bin/bzgrep", "bin/bzdiff", "bin/bzmore"],
    commands:
      "B=$S/bin; seq 20 > a; seq 3 20 > b; bzip2 -k a; bzip2 -k b; sh $B/bzgrep 1 a.bz2 | head -3; sh $B/bzgrep -c 1 a.bz2 b.bz2; sh $B/bzgrep nope a.bz2; echo $?; sh $B/bzdiff a.bz2 b.bz2; echo $?; sh $B/bzdiff a.bz2; echo $?; sh $B/bzgrep; echo $?; ls",
  },
  {
    title: "savelog rotates logs",
    paths: ["usr/bin/savelog"],
    commands:
      "L=$S/usr/bin/savelog; for i in 1 2 3 4; do echo $i > log; sh $L -c 3 log; done; ls; gzip -dc log.1.gz; echo 5 > log; sh $L -l -c 3 log; ls; sh $L; echo $?; sh $L nope; echo $?; echo x > m; sh $L -t -m 600 m; ls; stat -c %a m; sh $L -q m; sh $L -z; echo $?; echo y > n; sh $L -C n; ls",
  },
  {
    title: "which, as Debian had it",
    paths: ["usr/bin/which.debianutils"],
    commands:
      "W=$S/usr/bin/which.debianutils; sh $W ls; sh $W nope; echo $?; sh $W ls nope cat; echo $?; sh $W -a ls; sh $W; echo $?; sh $W -z; echo $?; sh $W /bin/ls; sh $W ./x; echo $?; sh $W -s ls; echo $?",
  },
  {
    title: "shunit2 runs a suite of tests",
    paths: ["usr/share/shunit2/shunit2"],
    commands:
      "cat > t.sh <<'X'\noneTimeSetUp() { echo one; }\nsetUp() { n=$((n+1)); }\ntestEqual() { assertEquals 'same' 1 1; assertEquals 'differs' 1 2; }\ntestTrue() { assertTrue '[ 1 -eq 1 ]'; assertFalse 'false is' 1; assertNull ''; assertNotNull x; assertSame a a; assertContains 'hello world' 'lo w'; }\ntestSkip() { startSkipping; fail 'never'; endSkipping; }\n. $S/usr/share/shunit2/shunit2\nX\nSHUNIT_COLOR=none sh t.sh; echo $?; SHUNIT_COLOR=always bash t.sh -- testTrue; echo $?",
  },
  {
    title: "bats runs a file of tests",
    paths: ["usr/bin/bats", "usr/libexec/bats-core", "usr/lib/bats-core"],
    commands:
      "cat > t.bats <<'X'\nsetup() { x=1; }\n@test 'adds' { [ $((x+1)) -eq 2 ]; }\n@test 'fails' { echo said; false; }\n@test 'runs' { run echo hi; [ \"$status\" -eq 0 ]; [ \"$output\" = hi ]; [ \"${lines[0]}\" = hi ]; }\n@test 'skips' { skip 'why'; }\nX\nB=$S/usr/bin/bats; bash $B --version; bash $B -c t.bats; BATS_ROOT=$S/usr bash $B --tap t.bats; echo $?",
  },
  {
    title: "bash-completion loads and completes",
    paths: [
      "usr/share/bash-completion/bash_completion",
      "usr/share/bash-completion/completions/kill",
      "usr/share/bash-completion/completions/tar",
      "usr/share/bash-completion/helpers",
    ],
    commands:
      "shopt -s extglob progcomp; BASH_COMPLETION_USER_DIR=$PWD . $S/usr/share/bash-completion/bash_completion; complete -p cd kill 2>&1; touch file1 file2 other; mkdir dir; COMP_WORDS=(cat fi); COMP_CWORD=1; COMP_LINE='cat fi'; COMP_POINT=6; _longopt cat fi cat; printf '%s\\n' \"${COMPREPLY[@]}\" | sort; _get_comp_words_by_ref cur prev words cword; echo \"$cur|$prev|$cword|${words[*]}\"; cur=f; COMPREPLY=(); _filedir; printf '%s\\n' \"${COMPREPLY[@]}\" | sort; _quote_readline_by_ref 'a b' r; echo \"$r\"; _upvars -v v 3 -a2 arr x y; echo $v ${arr[1]}; type -t _init_completion; _split_longopt; echo $?; __ltrim_colon_completions 'a:b'; echo $?",
  },
  {
    title: "git's commit-msg hook refuses a sign-off twice",
    paths: ["usr/share/git-core/templates/hooks/commit-msg.sample"],
    commands:
      "H=$S/usr/share/git-core/templates/hooks/commit-msg.sample; printf 'x\\n\\nSigned-off-by: A <a@b>\\nSigned-off-by: A <a@b>\\n' > m; sh $H m; echo $?; printf 'x\\n\\nSigned-off-by: A <a@b>\\nSigned-off-by: B <a@b>\\n' > m; sh $H m; echo $?; sh $H nope; echo $?",
  },
  {
    title: "git's prompt and completion load",
    paths: ["usr/lib/git-core/git-sh-prompt", "usr/share/bash-completion/completions/git"],
    commands:
      "git() { return 1; }; . $S/usr/lib/git-core/git-sh-prompt; __git_ps1 ' (%s)'; echo $?; PS1='$(__git_ps1)x'; declare -F | grep -c __git; __git_ps1_colorize_gitstring; echo $?; . $S/usr/share/bash-completion/completions/git; declare -F | grep -c _git; __git_reassemble_comp_words_by_ref '=:' 2>&1 | head -2; cur=--a; __gitcomp '--all --amend --author=' ; printf '[%s]' \"${COMPREPLY[@]}\"; echo; __gitcomp_nl_append $'one\\ntwo' '' o; printf '[%s]' \"${COMPREPLY[@]}\"",
  },
  {
    title: "dcmd, debsign and others of devscripts explain themselves",
    paths: [
      "usr/bin/dcmd",
      "usr/bin/debsign",
      "usr/bin/debrelease",
      "usr/bin/mergechanges",
      "usr/bin/deb-reversion",
      "usr/bin/edit-patch",
    ],
    commands:
      "D=$S/usr/bin; sh $D/dcmd --help; sh $D/dcmd; echo $?; printf 'Files:\\n abc 1 x y a.dsc\\n abc 2 x y b.deb\\n' > p.changes; sh $D/dcmd echo p.changes; sh $D/dcmd --deb echo p.changes; sh $D/debsign --help | head -30; sh $D/debrelease --help | head; bash $D/mergechanges --help; bash $D/mergechanges; echo $?; bash $D/edit-patch --help; bash $D/deb-reversion --help | head -5",
  },
  {
    title: "neofetch and screenfetch know themselves",
    paths: ["usr/bin/neofetch", "usr/bin/screenfetch"],
    commands:
      "bash $S/usr/bin/neofetch --version; bash $S/usr/bin/neofetch --help | head -60; bash $S/usr/bin/screenfetch -h | head -40; bash $S/usr/bin/screenfetch -V | head -3; bash $S/usr/bin/neofetch --stdout --config none --disable title underline distro model kernel uptime packages shell resolution de wm theme icons term cpu gpu memory cols 2>&1 | head -5",
  },
];
