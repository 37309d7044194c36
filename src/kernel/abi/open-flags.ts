/** Flags of open(2) and fcntl(2) with Linux's numbers (asm-generic/fcntl.h). */
export const O_RDONLY = 0;
export const O_WRONLY = 0o1;
export const O_RDWR = 0o2;
export const O_ACCMODE = 0o3;
export const O_CREAT = 0o100;
export const O_EXCL = 0o200;
export const O_NOCTTY = 0o400;
export const O_TRUNC = 0o1000;
export const O_APPEND = 0o2000;
export const O_NONBLOCK = 0o4000;
export const O_DIRECTORY = 0o200000;
export const O_NOFOLLOW = 0o400000;
export const O_CLOEXEC = 0o2000000;

/** The flags that stay with the open file and that F_GETFL reports. */
export const STATUS_FLAGS = O_ACCMODE | O_APPEND | O_NONBLOCK;
/** The flags F_SETFL may change. */
export const SETTABLE_FLAGS = O_APPEND | O_NONBLOCK;

export const SEEK_SET = 0;
export const SEEK_CUR = 1;
export const SEEK_END = 2;

/** access(2). */
export const F_OK = 0;
export const X_OK = 1;
export const W_OK = 2;
export const R_OK = 4;
