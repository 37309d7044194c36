// What is the same for every part that speaks to a Linux kernel of the host: numbers of calls, filters.
export {
  type ArgumentTest,
  assembleFilter,
  type Filter,
  type SyscallRule,
} from "./seccomp-filter.ts";
export {
  type Architecture,
  findSyscallNumber,
  type SyscallName,
  syscallNumbers,
} from "./syscall-numbers.ts";
