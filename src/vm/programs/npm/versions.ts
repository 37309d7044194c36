/** The npm whose words, files and statuses these programs have. */
export const NPM_VERSION = "11.19.1";
/** The Node that a VM's `node` is; a test compares it with the pinned one. */
export const NODE_VERSION = "26.10.0";
