// Runs a module that wherry wrote against a builder that records its calls, and prints them as JSON.
import { pathToFileURL } from "node:url";

class Operand { constructor(name) { this.name = name; } }

const plain = (key, value) =>
  value instanceof Operand ? { operand: value.name }
  : typeof value === "bigint" ? { bigint: String(value) }
  : typeof value === "number" && !Number.isFinite(value) ? { number: String(value) }
  : Object.is(value, -0) ? { number: "-0" }
  : value instanceof Uint8Array ? { bytes: [...value] }
  : value;

const calls = [];
let count = 0;
globalThis.MLGraphBuilder = class {
  constructor(context) { this.context = context; }
  build(outputs) { calls.push(["build", outputs]); return Promise.resolve("graph"); }
};
for (const method of process.argv.slice(3)) {
  MLGraphBuilder.prototype[method] = (...given) => {
    const several = method === "split" ? given[1].length ?? given[1] : 0;
    const made = several ? Array.from({ length: several }, () => new Operand(`t${count++}`)) : new Operand(`t${count++}`);
    calls.push([method, given, made]);
    return made;
  };
}
const { build } = await import(pathToFileURL(process.argv[2]));
await build({});
console.log(JSON.stringify(calls, plain));
