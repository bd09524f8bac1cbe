// The page of a run: sortable tables, and the list of conversations with its filter. Everything that was said is put
// in with textContent only.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("run").textContent);
  const $ = (id) => document.getElementById(id);
  const make = (tag, cls, text) => {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // ------------------------------------------------------------------ theme

  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  $("theme").addEventListener("click", () => {
    const now = root.dataset.theme || (prefersDark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  // ------------------------------------------------------------------ sortable tables

  function sortBy(table, column, head) {
    const falling = head.getAttribute("aria-sort") !== "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const key = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
    const numeric = [...table.tBodies[0].rows].every((row) => "v" in row.cells[column].dataset);
    const value = (row) => (numeric ? Number(key(row)) || 0 : key(row));
    const order = (a, b) => (numeric ? value(a) - value(b) : value(a).localeCompare(value(b), "en", { numeric: true }));
    const rows = [...table.tBodies[0].rows].sort((a, b) => (falling ? order(b, a) : order(a, b)));
    table.tBodies[0].append(...rows);
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    const first = table.tBodies[0].rows[0];
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (first && first.cells[column].classList.contains("n") && !first.cells[column].querySelector("svg"))
        head.classList.add("n");
      if (!head.textContent || table.tBodies[0].rows.length < 3) return;
      const button = make("button", "", head.textContent);
      button.type = "button";
      button.addEventListener("click", () => sortBy(table, column, head));
      head.replaceChildren(button);
    });
  }

  // ------------------------------------------------------------------ the list of conversations

  const STEP = 50;
  const list = $("list"), more = $("more"), form = $("filter");
  const byIndex = new Map(data.talks.map((talk) => [talk.i, talk]));
  const hasSuccess = data.talks.some((talk) => talk.good !== null);
  const node = (number) => data.nodes[number] ?? "";
  let found = [], shown = 0, sought = "";

  const textOf = (talk) =>
    (talk.text ??= [talk.why, ...(talk.error || []), talk.said || "", ...talk.turns.flatMap((turn) => [turn[0], turn[1]])]
      .join("\n").toLowerCase());
  const passes = (talk, number) => talk.last === number || talk.turns.some((turn) => turn[2].includes(number));
  const ends = {
    "": () => true,
    success: (talk) => talk.good === true,
    "no success": (talk) => talk.good !== true,
  };
  for (const end of ["finished", "stuck", "failed", "limit"]) ends[end] = (talk) => talk.end === end;

  function options(select, all, values) {
    select.replaceChildren(new Option(all, ""), ...values.map(([text, value]) => new Option(text, value)));
  }
  const used = Object.keys(ends).filter((end) => end && (data.talks.some(ends[end])));
  options($("end"), "any", used.filter((end) => hasSuccess || !end.includes("success")).map((end) => [end, end]));
  const personas = [...new Set(data.talks.map((talk) => talk.persona))].filter((name) => name !== null);
  options($("persona"), "any", personas.map((name) => [name, name]));
  $("persona").parentElement.hidden = !personas.length;
  const visited = [...new Set(data.talks.flatMap((talk) => [talk.last, ...talk.turns.flatMap((turn) => turn[2])]))]
    .filter((number) => number >= 0).sort((a, b) => node(a).localeCompare(node(b), "en"));
  options($("node"), "any", visited.flatMap((number) => [[node(number), `p${number}`], [`ended at ${node(number)}`, `e${number}`]]));
  if (data.talks.every((talk) => talk.cost === null)) $("order").querySelector("[value=cost]").remove();

  const keys = {
    rank: (talk) => talk.rank, i: (talk) => talk.i, length: (talk) => -talk.turns.length, cost: (talk) => -(talk.cost || 0),
  };
  function clear() {
    for (const id of ["text", "end", "persona", "node"]) $(id).value = "";
  }
  function refilter() {
    sought = $("text").value.trim().toLowerCase();
    const end = ends[$("end").value], persona = $("persona").value, where = $("node").value, number = Number(where.slice(1));
    const key = keys[$("order").value];
    found = data.talks.filter((talk) =>
      end(talk) && (!persona || talk.persona === persona) && (!sought || textOf(talk).includes(sought)) &&
      (!where || (where[0] === "p" ? passes(talk, number) : talk.last === number)));
    found.sort((a, b) => key(a) - key(b) || a.i - b.i);
    list.replaceChildren();
    shown = 0;
    showMore();
  }
  function showMore(upTo = shown + STEP) {
    list.append(...found.slice(shown, upTo).map(item));
    shown = Math.min(found.length, Math.max(shown, upTo));
    const all = data.talks.length, few = shown < found.length ? `, ${shown.toLocaleString("en")} shown` : "";
    $("count").textContent = `${found.length.toLocaleString("en")} of ${all.toLocaleString("en")} conversations${few}`;
    more.hidden = shown >= found.length;
  }

  function item(talk) {
    const box = make("details", "talk"), head = make("summary");
    box.id = `c${talk.i}`;
    head.append(make("span", "id", `#${talk.i}`), badge(talk));
    if (talk.persona !== null) head.append(make("span", "", talk.persona));
    const size = talk.turns.length;
    head.append(make("span", "soft", `${size} turn${size === 1 ? "" : "s"}`));
    if (talk.last >= 0) head.append(make("span", "", `at ${node(talk.last)}`));
    head.append(make("span", "why", talk.error ? talk.error[1] : talk.why));
    box.append(head);
    box.addEventListener("toggle", () => { if (box.open && !box.lastChild.matches(".said")) box.append(said(talk)); });
    return box;
  }
  function badge(talk) {
    const good = talk.good === true ? "✓ " : talk.good === false ? "✗ " : "";
    const made = make("span", `end ${talk.good === true ? "success" : talk.end}`, good + talk.end);
    made.title = { true: "success", false: "no success" }[talk.good] || "success could not be told";
    return made;
  }

  // ------------------------------------------------------------------ one conversation

  function said(talk) {
    const box = make("div", "said"), partner = data.partners[`${talk.case}.${talk.round}`];
    if (partner) {
      const two = make("div", "two"), mine = data.other === "A" ? "B" : "A";
      two.append(column(talk, `With ${mine}`), column(partner, `The same user with ${data.other}`));
      box.append(two);
    } else box.append(column(talk));
    return box;
  }
  function column(talk, title) {
    const box = make("div"), turns = make("ol", "turns");
    if (title) {
      const head = make("h3", "", `${title} `);
      head.append(badge(talk));
      box.append(head);
    }
    for (const turn of talk.turns) turns.append(oneTurn(turn));
    if (talk.said) {
      const row = make("li");
      row.append(marked(make("p", "user"), talk.said));
      turns.append(row);
    }
    box.append(turns);
    const error = talk.error ? `${talk.error[0]}: ${talk.error[1]}` : talk.end === "finished" ? "" : talk.why;
    if (error) box.append(marked(make("p", "error"), error));
    const facts = [`seed ${talk.seed}`, `${talk.calls} model request${talk.calls === 1 ? "" : "s"}`];
    if (talk.cost !== null) facts.push(`cost ${talk.cost}`);
    if (talk.by) facts.push(`ended by the ${talk.by}`);
    box.append(make("p", "soft", facts.join(" · ")));
    if (talk.vars) {
      const kept = make("details");
      kept.append(make("summary", "soft", "Variables at the end"), make("pre", "", talk.vars));
      box.append(kept);
    }
    return box;
  }
  function oneTurn([user, reply, path, target]) {
    const row = make("li");
    if (user) {
      const box = marked(make("p", "user"), user);
      if (target) box.title = `aims at ${target}`;
      row.append(box);
    }
    if (reply) row.append(marked(make("p", "bot"), reply));
    row.append(make("p", "way", path.map(node).join(" → ")));
    return row;
  }
  function marked(box, text) {
    const low = text.toLowerCase();
    let from = 0;
    if (sought && low.length === text.length)
      for (let at = low.indexOf(sought); at >= 0; at = low.indexOf(sought, from)) {
        box.append(text.slice(from, at), make("mark", "", text.slice(at, at + sought.length)));
        from = at + sought.length;
      }
    box.append(text.slice(from));
    return box;
  }

  // ------------------------------------------------------------------ ways to get there

  function show(index) {
    if (!byIndex.has(index)) return;
    if (!found.includes(byIndex.get(index))) { clear(); refilter(); }
    const place = found.indexOf(byIndex.get(index));
    if (place >= shown) showMore(Math.ceil((place + 1) / STEP) * STEP);
    const box = $(`c${index}`);
    box.open = true;
    box.firstChild.focus({ preventScroll: true });
    box.scrollIntoView({ block: "start" });
  }
  function byNode(name) {
    const number = data.nodes.indexOf(name);
    clear();
    if (number >= 0) $("node").value = `p${number}`;
    refilter();
    $("conversations").scrollIntoView({ block: "start" });
    $("node").focus({ preventScroll: true });
  }
  const byHash = () => { const hit = /^#c(\d+)$/.exec(location.hash); if (hit) show(Number(hit[1])); };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#c'], button[data-node], .graph .node");
    if (!link) return;
    if (link.matches("a")) { if (link.hash === location.hash) byHash(); }
    else byNode(link.dataset.node ?? data.drawn[link.dataset.n]);
  });
  addEventListener("hashchange", byHash);
  if ($("size"))
    $("size").addEventListener("click", () => {
      const fit = document.querySelector(".graph").classList.toggle("fit");
      $("size").setAttribute("aria-pressed", String(!fit));
    });

  for (const id of ["end", "persona", "node", "order"]) $(id).addEventListener("change", refilter);
  $("text").addEventListener("input", refilter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); clear(); refilter(); });
  more.addEventListener("click", () => showMore());
  refilter();
  byHash();
})();
