/** What interactive shells start with: colours where the terminal has them, a history without noise. */
const bashrc = `# Read by interactive shells.
shopt -s checkwinsize histappend
HISTCONTROL=ignoreboth
case $TERM in
  '' | dumb) ;;
  *)
    PS1='\\[\\e[32m\\]\\u@\\h\\[\\e[0m\\]:\\[\\e[34m\\]\\w\\[\\e[0m\\]\\$ '
    alias ls='ls --color=auto'
    alias grep='grep --color=auto' egrep='egrep --color=auto' fgrep='fgrep --color=auto'
    ;;
esac
alias ll='ls -l' la='ls -A'
`;

/** /etc of a fresh VM. */
export const etcFiles: ReadonlyMap<string, string> = new Map([
  [
    "passwd",
    "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\nuser:x:1000:1000:user:/home/user:/bin/bash\n",
  ],
  ["group", "root:x:0:\ntty:x:5:\nsudo:x:27:user\nnogroup:x:65534:\nuser:x:1000:\n"],
  ["hostname", "agentos\n"],
  ["hosts", "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n"],
  ["shells", "/bin/sh\n/bin/bash\n/usr/bin/sh\n/usr/bin/bash\n"],
  ["profile", "# Read by login shells.\nexport PATH=/usr/local/bin:/usr/bin:/bin\n"],
  ["bash.bashrc", bashrc],
  ["nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"],
  [
    "os-release",
    'NAME="agentOS MCP"\nID=agentos\nPRETTY_NAME="agentOS MCP virtual machine"\nVERSION_ID="0.1"\n',
  ],
  ["issue", "agentOS MCP virtual machine\n"],
]);
