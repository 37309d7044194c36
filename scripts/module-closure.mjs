// Which modules are loaded along with others: for the scripts that decide what goes into one file.

/** Notes, as a plugin of rolldown, what each module imports at once. */
export class ModuleImports {
  name = "module-imports";
  /** @type {Map<string, readonly string[]>} */
  #imports = new Map();

  /** @type {(module: { id: string, importedIds: readonly string[] }) => void} */
  moduleParsed = ({ id, importedIds }) => {
    this.#imports.set(id, importedIds);
  };

  /**
   * Those modules, all that they import, and so on; without what is imported later. Known once all is parsed.
   *
   * @param {readonly string[]} roots
   */
  closureOf(roots) {
    const closure = new Set(roots);
    for (const id of closure) for (const one of this.#imports.get(id) ?? []) closure.add(one);
    return closure;
  }
}
