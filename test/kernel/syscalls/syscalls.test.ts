import { describe } from "vitest";
import { describeAttributes } from "./attributes.ts";
import { describeDirectories } from "./directories.ts";
import { describeFiles, describeFullAndBroken } from "./files.ts";
import { describeNames } from "./names.ts";
import { describePathErrnos } from "./path-errnos.ts";

describe("paths", describePathErrnos);
describe("files", describeFiles);
describe("files, broken", describeFullAndBroken);
describe("names", describeNames);
describe("attributes", describeAttributes);
describe("directories", describeDirectories);
