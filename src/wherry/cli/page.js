"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const rowHeight = 26, laneWidth = 14, spare = 12;
const at = (id) => document.getElementById(id);
const graph = at("graph"), all = at("all"), shown = at("shown");
let chosen = -1, matches = [], match = -1, visible = [];

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function drawing(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; count >= 1024 && unit < units.length - 1; unit++) count /= 1024;
  return (unit ? count.toFixed(1) : count) + " " + units[unit];
}

const x = (lane) => 14 + lane * laneWidth;
const railWidth = x(data.rows.reduce((most, row) => Math.max(most, row.lane, ...row.passing, ...row.into), 0)) + 14;
const words = data.rows.map((row) => [row.operator, row.node, ...(row.place || []),
  ...row.outputs.flat(), ...Object.entries(row.rules || {}).map((rule) => rule.join("="))]
  .join("\n").toLowerCase());

function rail(row) {
  const svg = drawing("svg", { width: railWidth, height: rowHeight, "aria-hidden": "true" });
  const middle = rowHeight / 2, here = x(row.lane);
  for (const lane of row.passing) svg.append(drawing("path", { d: `M${x(lane)} 0V${rowHeight}` }));
  for (const lane of row.into) {
    const from = x(lane);
    svg.append(drawing("path", { d: from === here ? `M${from} 0V${middle}` : `M${from} 0C${from} ${middle} ${here} 0 ${here} ${middle}` }));
  }
  if (row.goes_on) svg.append(drawing("path", { d: `M${here} ${middle}V${rowHeight}` }));
  svg.append(drawing("circle", { cx: here, cy: middle, r: row.kind === "other" ? 4 : 5.5 }));
  return svg;
}

function line(number) {
  const row = data.rows[number];
  const made = element("div", undefined, `row ${row.kind}`);
  made.id = `row-${number}`;
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", String(number === chosen));
  if (number === chosen) made.classList.add("chosen");
  else if (number === matches[match]) made.classList.add("hit");
  if (!at("moving").checked) made.append(rail(row));
  else made.append(element("span", "\u00a0\u00a0"));
  made.append(element("b", row.operator), element("span", row.node, "name"));
  made.append(element("span", row.outputs.map((output) => output[1]).join(", "), "type"));
  made.append(element("span", row.bytes === undefined ? "" : row.bytes === null ? "?" : bytes(row.bytes), "bytes"));
  made.title = (row.place || []).concat(row.node).join(" / ");
  made.addEventListener("click", () => choose(number));
  return made;
}

function show() {
  all.style.height = `${visible.length * rowHeight}px`;
  const first = Math.max(0, Math.floor(graph.scrollTop / rowHeight) - spare);
  const last = Math.min(visible.length, Math.ceil((graph.scrollTop + graph.clientHeight) / rowHeight) + spare);
  shown.style.top = `${first * rowHeight}px`;
  shown.replaceChildren(...visible.slice(first, last).map(line));
}

function table(rows) {
  const made = element("table");
  for (const cells of rows) {
    const row = element("tr");
    row.append(...cells.map((cell) => element("td", cell)));
    made.append(row);
  }
  return made;
}

function choose(number) {
  chosen = number;
  const row = data.rows[number];
  const parts = [element("h2", row.operator), element("p", row.node)];
  const section = (title, rows) => { if (rows.length) parts.push(element("h3", title), table(rows)); };
  if (row.place && row.place.length) parts.push(element("h3", "in"), element("p", row.place.join(" / ")));
  if (row.why) parts.push(element("h3", "refused"), element("p", row.why));
  section("reads", row.inputs || []);
  section("makes", row.outputs);
  if (row.bytes !== undefined) section("bytes", [[row.kind === "view" ? "a view" : "moved", row.bytes === null ? "sizes are not known" : row.bytes.toLocaleString("en")]]);
  section("rules", Object.entries(row.rules || {}));
  section("layouts, in elements", (row.layouts || []).map((layout) => [`${layout.output}: input ${layout.of_input}`,
    `sizes ${layout.sizes.join(" x ")}, strides ${layout.strides.join(", ")}, offset ${layout.offset}`]));
  at("details").replaceChildren(...parts);
  history.replaceState(null, "", `#${number}`);
  show();
}

function reveal(number) {
  const place = visible.indexOf(number);
  if (place < 0) return;
  const top = place * rowHeight;
  if (top < graph.scrollTop || top + rowHeight > graph.scrollTop + graph.clientHeight)
    graph.scrollTop = top - graph.clientHeight / 2;
  choose(number);
}

function find() {
  const wanted = at("search").value.trim().toLowerCase();
  matches = wanted ? visible.filter((number) => words[number].includes(wanted)) : [];
  match = -1;
  at("matches").textContent = wanted ? `${matches.length} of ${visible.length} nodes` : "";
  if (matches.length) step(1);
  else show();
}

function step(by) {
  if (!matches.length) return;
  match = (match + by + matches.length) % matches.length;
  at("matches").textContent = `${match + 1} of ${matches.length}`;
  reveal(matches[match]);
}

function filter() {
  const only = at("moving").checked;
  visible = data.rows.map((row, number) => number).filter((number) => !only || ["moves", "view", "refused"].includes(data.rows[number].kind));
  find();
}

at("title").textContent = data.title;
at("about").textContent = [data.about.model.version, data.about.model.producer,
  `${data.about.nodes.count.toLocaleString("en")} nodes, ${data.about.nodes.moving.toLocaleString("en")} move data`,
  `${bytes(data.about.bytes.moved)} moved if each node runs once, ${bytes(data.about.bytes.in_views)} in views`,
  data.about.nodes.unknown_sizes ? `${data.about.nodes.unknown_sizes} of unknown sizes` : ""].filter(Boolean).join(" \u00b7 ");
document.title = `${data.title} \u2013 wherry info`;
graph.addEventListener("scroll", show);
window.addEventListener("resize", show);
at("search").addEventListener("input", find);
at("search").addEventListener("keydown", (event) => { if (event.key === "Enter") step(event.shiftKey ? -1 : 1); });
at("before").addEventListener("click", () => step(-1));
at("after").addEventListener("click", () => step(1));
at("moving").addEventListener("change", filter);
graph.addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const place = Math.max(0, Math.min(visible.length - 1, visible.indexOf(chosen) + by));
  reveal(visible[place]);
});
filter();
function restore() {
  const number = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : -1;
  if (number !== chosen && data.rows[number]) reveal(number);
}

window.addEventListener("hashchange", restore);
restore();
