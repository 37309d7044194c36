/** Says what history expansion cannot find or do, in bash's words. */
export class HistoryError extends Error {}
