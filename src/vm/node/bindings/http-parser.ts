import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const httpParser = (): Binding => ({ ...staticsOf("http_parser") });
