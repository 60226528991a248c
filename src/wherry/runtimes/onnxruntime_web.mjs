// Runs one model on onnxruntime-web under Node: a request of JSON comes in, a reply of JSON goes out.
// Tensors travel as {type, dims, data}: data is base64 of the bytes, or for strings a list.
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const request = JSON.parse(readFileSync(0, "utf8"));
const found = createRequire(pathToFileURL(`${request.folder}/`)).resolve("onnxruntime-web");
const loaded = await import(pathToFileURL(found));
const ort = loaded.default ?? loaded;
ort.env.wasm.numThreads = 1;
ort.env.logLevel = "fatal";

const kinds = {
  float32: Float32Array, float64: Float64Array, float16: Uint16Array, int8: Int8Array, uint8: Uint8Array, bool: Uint8Array,
  int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
};

function tensor({ type, dims, data }) {
  if (type === "string") return new ort.Tensor(type, data, dims);
  const bytes = new Uint8Array(Buffer.from(data, "base64"));
  return new ort.Tensor(type, new kinds[type](bytes.buffer), dims);
}

function plain({ type, dims, data }) {
  if (type === "string") return { type, dims, data: [...data] };
  return { type, dims, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64") };
}

function reply(message) {
  writeSync(1, JSON.stringify(message));
}

try {
  const session = await ort.InferenceSession.create(Buffer.from(request.model, "base64"), { executionProviders: ["wasm"] });
  const inputs = Object.fromEntries(Object.entries(request.inputs).map(([name, value]) => [name, tensor(value)]));
  const outputs = await session.run(inputs);
  reply({ outputs: request.outputs.map((name) => plain(outputs[name])) });
} catch (error) {
  reply({ error: String(error && error.message !== undefined ? error.message : error) });
}
