"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const levels = ["unsafe", "refused", "differs", "narrowed", "maybe"];
const part = (id) => document.getElementById(id);

/** An element with text: whatever a model calls its nodes is never read as markup. */
function made(tag, text, parent, kind) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (kind) element.className = kind;
  if (parent) parent.append(element);
  return element;
}

function named(target) {
  return `${target.target} ${target.version}`.trim();
}

function line(parent, word, text, source) {
  const row = made("p", undefined, parent);
  made("small", `${word} `, row);
  made("span", text, row);
  if (!source) return;
  made("span", " ", row);
  const link = made(source.startsWith("https://") ? "a" : "small", source, row);
  if (link.tagName === "A") {
    link.href = source;
    link.rel = "noopener noreferrer";
  }
}

function article(group) {
  const first = group[0];
  const box = made("article");
  const head = made("h2", undefined, box);
  made("span", first.severity, head, `tag ${first.severity}`);
  head.append(" ");
  made("span", `${named(first)}: ${first.name}`, head);
  line(box, "model", first.rule.words, first.rule.source);
  line(box, "there", first.other_rule.words, first.other_rule.source);
  for (const one of group.slice(0, 20)) {
    const place = one.place.length ? `in ${one.place.join(" / ")}: ` : "";
    line(box, "node", `${place}${one.operator} ${one.node}${one.when ? `, if ${one.when}` : ""}`);
  }
  if (group.length > 20) line(box, "", `and ${group.length - 20} nodes more`);
  for (const [word, value] of [["example", first.example], ["witness", first.witness]]) {
    const row = made("p", undefined, box);
    made("small", `${word} `, row);
    made("code", JSON.stringify(value), row);
  }
  line(box, "do", first.advice);
  return box;
}

const groups = new Map();
for (const one of data.findings) {
  const key = JSON.stringify([one.severity, named(one), one.name, one.other_rule.words]);
  if (!groups.has(key)) groups.set(key, []);
  groups.get(key).push(one);
}
const shown = [...groups.values()].map((group) => ({ group, box: article(group) }));
for (const { box } of shown) part("findings").append(box);

function filter() {
  const words = part("search").value.toLowerCase();
  const [target, severity] = [part("target").value, part("severity").value];
  let count = 0;
  for (const { group, box } of shown) {
    const fits = (!target || named(group[0]) === target) && (!severity || group[0].severity === severity);
    box.hidden = !(fits && box.textContent.toLowerCase().includes(words));
    if (!box.hidden) count += group.length;
  }
  part("count").textContent = `${count} of ${data.findings.length} findings`;
}

document.title = `${data.model} \u2013 wherry check`;
part("title").textContent = `${data.model}: ${data.nodes.judged} nodes judged, ${data.nodes.not_judged} not`;
const head = made("tr", undefined, part("sums").tHead);
for (const word of ["target", ...levels]) made("th", word, head);
for (const target of data.targets) {
  const row = made("tr", undefined, part("sums").tBodies[0]);
  for (const word of [named(target), ...levels.map((level) => target[level] || "")]) made("td", word, row);
}
for (const [id, words] of [["target", data.targets.map(named)], ["severity", levels]]) {
  made("option", "all", part(id)).value = "";
  for (const word of words) made("option", word, part(id)).value = word;
  part(id).addEventListener("change", filter);
}
part("search").addEventListener("input", filter);
part("passed").textContent = `Not judged: ${data.not_judged.map((one) => `${one.nodes} ${one.operator}`).join(", ") || "none"}`;
filter();
