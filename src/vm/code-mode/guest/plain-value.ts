/**
 * Part of the guest's script: `toPlain(value, name, notes)` gives what JSON can hold of a value. Nothing is lost
 * silently: what JSON has no form for gets one, and a note says which; what cannot have one is an error.
 */
export const plainValueScript = String.raw`
const MOST_NOTES = 10;
const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
const keyOf = (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? "." + key : "[" + JSON.stringify(key) + "]");
const toPlain = (root, name, notes) => {
  const above = new Set();
  const note = (path, words) => {
    if (notes.length < MOST_NOTES) notes.push(path + " " + words);
    else if (notes.length === MOST_NOTES) notes.push("… and more");
  };
  const entries = (path, pairs) => {
    const object = {};
    for (const [key, value] of pairs) {
      const given = plain(value, path + keyOf(key));
      if (given !== undefined) Object.defineProperty(object, key, { value: given, enumerable: true, writable: true, configurable: true });
    }
    return object;
  };
  const list = (path, values) =>
    Array.from(values, (value, index) => {
      const given = plain(value, path + "[" + index + "]");
      if (given === undefined) note(path + "[" + index + "]", "is undefined: given as null");
      return given === undefined ? null : given;
    });
  const bytes = (path, value) => {
    note(path, "is binary: given as base64");
    const view = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
    return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("base64");
  };
  const object = (path, value) => {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return bytes(path, value);
    if (typeof value.then === "function") throw new TypeError(path + " is a promise: await it");
    if (typeof value.toJSON === "function") return plain(value.toJSON(), path);
    if (Array.isArray(value)) return list(path, value);
    if (value instanceof Map) {
      const pairs = [...value];
      const isObject = pairs.every(([key]) => typeof key === "string");
      note(path, isObject ? "is a Map: given as an object" : "is a Map: given as a list of pairs");
      return isObject ? entries(path, pairs) : list(path, pairs);
    }
    if (value instanceof Set) {
      note(path, "is a Set: given as a list");
      return list(path, value);
    }
    if (value instanceof Error) {
      note(path, "is an Error: given with its name and message");
      return { name: String(value.name), message: String(value.message), ...entries(path, Object.entries(value)) };
    }
    if (value instanceof RegExp) {
      note(path, "is a RegExp: given as text");
      return String(value);
    }
    if (value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt)
      return plain(value.valueOf(), path);
    const pairs = Object.entries(value);
    const prototype = Object.getPrototypeOf(value);
    const isOrdinary = prototype === null || Object.getPrototypeOf(prototype) === null;
    if (pairs.length === 0 && !isOrdinary) {
      const constructor = typeof value.constructor === "function" ? value.constructor.name : "";
      const kind = kindOf(value) === "Object" ? constructor : kindOf(value);
      note(path, "(" + (kind || "an object") + ") has nothing that JSON can hold: given as {}");
    }
    return entries(path, pairs);
  };
  const plain = (value, path) => {
    switch (typeof value) {
      case "string":
      case "boolean":
      case "undefined":
        return value;
      case "number":
        if (Number.isFinite(value)) return value;
        note(path, "is " + value + ": given as text");
        return String(value);
      case "bigint":
        note(path, "is a BigInt: given as text");
        return String(value);
      case "symbol":
        note(path, "is a symbol: given as text");
        return String(value);
      case "function":
        note(path, "is a function: given as text");
        return "[Function: " + (value.name || "anonymous") + "]";
    }
    if (value === null) return null;
    if (above.has(value)) throw new TypeError(name + " cannot be given as JSON: it holds itself at " + path);
    above.add(value);
    const given = object(path, value);
    above.delete(value);
    return given;
  };
  return plain(root, name);
};
`;
