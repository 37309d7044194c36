import { describeRecorded } from "../compare.ts";

await describeRecorded("bash", "shell");
