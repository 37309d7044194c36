import { describeEntryPoint } from "./describe-entry-point.ts";
import { openLibrary } from "./entry-points/library.ts";

describeEntryPoint("library", openLibrary);
