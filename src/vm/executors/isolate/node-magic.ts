/** How a file says that it is Node: this, and a line feed. */
export const NODE_MAGIC = "\x7fNODE\n";
