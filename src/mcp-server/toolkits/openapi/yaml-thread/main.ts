// Entry of the thread that parses large YAML, so that the server goes on meanwhile: answers with JSON.
import { parentPort, workerData } from "node:worker_threads";
import { yamlToJson } from "../parse-yaml.ts";

parentPort?.postMessage(yamlToJson(String(workerData)));
