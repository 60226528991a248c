"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const body = document.querySelector("#matrix tbody"), head = document.querySelector("#matrix thead");
const outcomes = ["agrees", "refuses", "differs", "crashes", "hangs", "cannot say"];
const titles = data.runtimes.map((one) => `${one.runtime} ${one.version}`);
let chosen = null;

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function cell(rule, runtime) {
  const found = (data.runtimes[runtime].cells[rule.operator] || {})[rule.rule];
  if (found === undefined) return null;
  if (typeof found === "string") return { outcome: found, words: "" };
  const [[outcome, words]] = Object.entries(found);
  return { outcome, words };
}

const plain = (text) => text.toLowerCase().replace(/[^a-z0-9.+-]+/g, "-").replace(/^-+|-+$/g, "");
const anchor = (rule, runtime) => [rule.operator, rule.rule, ...(runtime === null ? [] : [data.runtimes[runtime].runtime])].map(plain).join("/");
const className = (outcome) => outcome.split(" ")[0];

function fill(select, all, values) {
  for (const [value, text] of [["", all], ...values]) {
    const made = element("option", text);
    made.value = value;
    select.append(made);
  }
}

fill(at("operator"), "all", [...new Set(data.rules.map((rule) => rule.operator))].map((name) => [name, name]));
fill(at("runtime"), "all", titles.map((title, number) => [String(number), title]));
fill(at("outcome"), "all", [["not", "all but agrees"], ...outcomes.map((name) => [name, name])]);

function shownRuntimes() {
  const only = at("runtime").value;
  return data.runtimes.map((one, number) => number).filter((number) => only === "" || Number(only) === number);
}

function wanted(rule, runtimes) {
  const operator = at("operator").value, outcome = at("outcome").value, text = at("search").value.trim().toLowerCase();
  if (operator && rule.operator !== operator) return false;
  if (text && ![rule.operator, rule.rule, rule.says].join(" ").toLowerCase().includes(text)) return false;
  if (!outcome) return true;
  return runtimes.some((number) => {
    const found = cell(rule, number);
    return found !== null && (outcome === "not" ? found.outcome !== "agrees" : found.outcome === outcome);
  });
}

function button(rule, number) {
  const found = cell(rule, number), made = element("td");
  if (found === null) return made;
  const inner = element("button", found.outcome, className(found.outcome));
  inner.type = "button";
  inner.id = anchor(rule, number);
  inner.title = `${titles[number]}: ${found.outcome}${found.words ? `: ${found.words}` : ""}`;
  inner.setAttribute("aria-pressed", String(chosen !== null && chosen[0] === rule && chosen[1] === number));
  inner.addEventListener("click", () => choose(rule, number));
  made.append(inner);
  return made;
}

function show() {
  const runtimes = shownRuntimes();
  const top = element("tr");
  top.append(element("th", "rule"));
  for (const number of runtimes) {
    const made = element("th", data.runtimes[number].runtime);
    made.append(element("small", data.runtimes[number].version));
    top.append(made);
  }
  head.replaceChildren(top);
  const rules = data.rules.filter((rule) => wanted(rule, runtimes));
  body.replaceChildren(...rules.map((rule) => {
    const row = element("tr"), name = element("th");
    name.scope = "row";
    name.append(element("b", rule.operator), element("span", rule.rule + (rule.is_open ? " *" : "")));
    name.title = rule.says;
    row.append(name, ...runtimes.map((number) => button(rule, number)));
    return row;
  }));
  at("count").textContent = `${rules.length} of ${data.rules.length} rules`;
}

function choose(rule, number) {
  chosen = [rule, number];
  const found = cell(rule, number);
  const parts = [element("h2", `${rule.operator}: ${rule.rule}`)];
  const section = (title, ...texts) => { parts.push(element("h3", title), ...texts.map((text) => { const line = element("p"); line.append(element("code", text)); return line; })); };
  const says = element("p", `${rule.says}. `), link = element("a", "Specification");
  link.href = rule.link;
  link.rel = "noreferrer";
  says.append(link);
  parts.push(says);
  section(`inputs, opset ${rule.opset}`, ...rule.inputs.map((text, place) => `${text}${rule.constants.includes(place) ? "  (a constant)" : ""}`));
  const attributes = Object.entries(rule.attributes);
  if (attributes.length) section("attributes", ...attributes.map(([name, value]) => `${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`));
  section(rule.is_open ? "left open; wherry's choice" : "by the specification", rule.answer === undefined ? `an error: ${rule.refusal}` : rule.answer);
  parts.push(element("h3", titles[number]), element("p"));
  parts[parts.length - 1].append(element("span", found.outcome, `tag ${className(found.outcome)}`));
  if (found.words) { const words = element("p"); words.append(element("code", found.words)); parts.push(words); }
  at("details").replaceChildren(...parts);
  history.replaceState(null, "", `#${anchor(rule, number)}`);
  for (const old of body.querySelectorAll('[aria-pressed="true"]')) old.setAttribute("aria-pressed", "false");
  const now = document.getElementById(anchor(rule, number));
  if (now) now.setAttribute("aria-pressed", "true");
}

function restore() {
  const name = decodeURIComponent(location.hash.slice(1));
  if (!name || (chosen !== null && anchor(...chosen) === name)) return;
  for (const rule of data.rules) {
    if (!name.startsWith(anchor(rule, null))) continue;
    const number = data.runtimes.findIndex((one, place) => anchor(rule, place) === name && cell(rule, place) !== null);
    if (number < 0) continue;
    for (const id of ["search", "operator", "runtime", "outcome"]) at(id).value = "";
    show();
    choose(rule, number);
    document.getElementById(name).scrollIntoView({ block: "center" });
    return;
  }
  if (data.rules.some((rule) => rule.operator.toLowerCase() === name.toLowerCase())) {
    at("operator").value = data.rules.find((rule) => rule.operator.toLowerCase() === name.toLowerCase()).operator;
    show();
  }
}

const cells = data.runtimes.reduce((sum, one) => sum + Object.values(one.counts).reduce((a, b) => a + b, 0), 0);
at("about").textContent = `${data.rules.length} rules, ${data.runtimes.length} runtimes, ${cells} cells, each measured on the smallest model that shows it. * The specification leaves the answer open; the one compared with is wherry's.`;
for (const id of ["operator", "runtime", "outcome"]) at(id).addEventListener("change", show);
at("search").addEventListener("input", show);
window.addEventListener("hashchange", restore);
show();
restore();
