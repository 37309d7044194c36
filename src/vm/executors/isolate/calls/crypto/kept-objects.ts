// Objects of Node's crypto that a guest holds by number.
import { KernelError } from "../../../../../kernel/index.ts";
import type { Guest } from "../../guest.ts";
import { callableOf, certificateClass, cryptoBinding } from "../../node-internals.ts";

/** Classes whose objects outlive a call. */
const classes = [
  "Hash",
  "Hmac",
  "Mac",
  "Sign",
  "Verify",
  "CipherBase",
  "DiffieHellman",
  "DiffieHellmanGroup",
  "ECDH",
  "KeyObjectHandle",
] as const;

/** One of them, with the class it is checked by. */
export class Kept {
  readonly className: string;
  readonly object: object;

  constructor(className: string, object: object) {
    this.className = className;
    this.object = object;
  }
}

export function keep(guest: Guest, className: string, object: object): number {
  const id = guest.objects.add(new Kept(className, object));
  if (id === undefined) throw new KernelError("ENOMEM");
  return id;
}

export function keptAt(guest: Guest, id: number): Kept {
  const found = guest.objects.get(id);
  if (!(found instanceof Kept)) throw new KernelError("EBADF");
  return found;
}

/** The class of an object that Node gave back; undefined for plain values. */
export function classNameOf(object: object): string | undefined {
  const binding = cryptoBinding();
  for (const name of classes) if (object instanceof callableOf(binding, name)) return name;
  return object instanceof certificateClass() ? "X509Certificate" : undefined;
}
