// The page around a drawing: zoom, search, panel, table, folding. Everything that comes from the program is put in
// with textContent only.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("program").textContent);
  const $ = (id) => document.getElementById(id);
  const svg = document.querySelector("svg.drawing");
  const root = document.documentElement;
  const all = (selector) => [...svg.querySelectorAll(selector)];
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const nodeOf = [], edgesOf = [], blockOf = [];
  for (const g of all("[data-n]")) nodeOf[g.dataset.n] = g;
  for (const g of all("[data-b]")) blockOf[g.dataset.b] = g;
  for (const g of all("[data-e]")) (edgesOf[g.dataset.e] ||= []).push(g);
  const index = new Map(data.nodes.map((node, i) => [node.name, i]));
  const members = new Map(data.groups.map((group) => [group.name, group.members]));
  const targets = (edge) => (index.has(edge.t) ? [index.get(edge.t)] : members.get(edge.t) || []);
  const out = data.nodes.map(() => []), into = data.nodes.map(() => []);
  data.edges.forEach((edge, e) => {
    if (index.has(edge.s)) out[index.get(edge.s)].push(e);
    for (const n of targets(edge)) into[n].push(e);
  });
  const make = (tag, cls, text) => {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // ------------------------------------------------------------------ folding: the same as place.py

  const folded = new Set();
  const NODE_W = 190, NODE_H = 52, TITLE = 22, GAP = 70, BETWEEN = 26, SLIP = 700;
  const sizeOf = (b) => (folded.has(b) ? [NODE_W, NODE_H] : [data.blocks[b].w, data.blocks[b].h]);
  let corners = [], extent = [0, 0];
  const anchor = (b, n, right) => {
    const [x, y] = corners[b];
    if (folded.has(b)) return [x + (right ? NODE_W : 0), y + NODE_H / 2];
    if (n < 0) return [x, y + TITLE / 2];
    const at = data.boxes[n];
    return [x + at[1] + (right ? NODE_W : 0), y + at[2] + NODE_H / 2];
  };
  function depths(links) {
    const depth = data.blocks.map(() => -1);
    const called = new Set(links.filter((l) => l.start !== l.end).map((l) => l.end));
    const main = data.blocks[0].name === "";
    let waiting = main ? [0] : depths.map((_, b) => b).filter((b) => !called.has(b));
    if (!waiting.length) waiting = [0];
    for (const b of waiting) depth[b] = 0;
    for (;;) {
      for (const b of waiting)
        for (const l of links)
          if (l.start === b && depth[l.end] < 0) { depth[l.end] = depth[b] + 1; waiting.push(l.end); }
      const rest = depth.map((_, b) => b).filter((b) => depth[b] < 0);
      if (!rest.length) return depth;
      const first = rest.find((b) => !called.has(b)) ?? rest[0];
      depth[first] = main ? 1 : 0;
      waiting = [first];
    }
  }
  function place() {
    const sizes = data.blocks.map((_, b) => sizeOf(b));
    corners = sizes.map(() => [0, 0]);
    const links = data.links.map((l) => ({ ...l, y: anchor(l.start, l.n, true)[1] }));
    const depth = depths(links);
    const main = data.blocks[0].name === "" ? sizes[0][1] : 0;
    const height = Math.max(main, 1000, Math.sqrt(sizes.reduce((sum, [w, h]) => sum + w * h, 0) * 0.7));
    let x = 0;
    for (let d = 0; d <= Math.max(...depth); d++) {
      const here = depth.map((_, b) => b).filter((b) => depth[b] === d);
      const wanted = new Map(here.map((b) => {
        const from = links.filter((l) => l.end === b && depth[l.start] < d).map((l) => corners[l.start][1] + l.y);
        return [b, Math.max((from.length ? Math.min(...from) : 0) - TITLE, 0)];
      }));
      const columns = [], column = new Map();
      for (const b of [...here].sort((a, c) => wanted.get(a) - wanted.get(c) || a - c)) {
        const want = wanted.get(b), h = sizes[b][1];
        let best = -1;
        columns.forEach((end, c) => { if (best < 0 || Math.max(end, want) < Math.max(columns[best], want)) best = c; });
        let y = best < 0 ? 0 : Math.max(columns[best], want);
        if (best < 0 || y - want > SLIP || (y + h > height && y !== want)) {
          best = columns.length;
          y = Math.max(Math.min(want, height - h), 0);
        }
        columns[best] = y + h + BETWEEN;
        column.set(b, best);
        corners[b] = [0, y];
      }
      columns.forEach((_, c) => {
        const inside = here.filter((b) => column.get(b) === c);
        for (const b of inside) corners[b][0] = x;
        x += Math.max(...inside.map((b) => sizes[b][0])) + GAP;
      });
    }
    extent = [0, 1].map((i) => Math.max(...corners.map((corner, b) => corner[i] + sizes[b][i])));
    blockOf.forEach((g, b) => {
      g.classList.toggle("folded", folded.has(b));
      for (const part of g.querySelectorAll(".head,.closed")) part.setAttribute("aria-expanded", String(!folded.has(b)));
      g.setAttribute("transform", `translate(${corners[b][0]} ${corners[b][1]})`);
    });
    for (const link of data.links) drawLink(link);
  }
  function drawLink(link) {
    const g = edgesOf[link.e][0];
    g.style.display = link.start === link.end && folded.has(link.start) ? "none" : "";
    const [x1, y1] = anchor(link.start, link.n, true), [x2, y2] = anchor(link.end, link.to, false);
    const reach = Math.max(40, Math.min(Math.abs(x2 - x1) / 2, 160)), last = x2 - 7;
    const [line, tip] = g.querySelectorAll("path");
    line.setAttribute("d", `M${x1} ${y1}C${x1 + reach} ${y1} ${last - reach} ${y2} ${last} ${y2}`);
    tip.setAttribute("d", `M${x2} ${y2}L${x2 - 7.5} ${y2 + 3.2}L${x2 - 7.5} ${y2 - 3.2}Z`);
  }
  function setFolded(b, close) {
    if (close === folded.has(b)) return;
    const before = corners[b];
    if (close) folded.add(b); else folded.delete(b);
    place();
    look(view.x + corners[b][0] - before[0], view.y + corners[b][1] - before[1], view.w, false);
  }

  // ------------------------------------------------------------------ where the eye is

  const view = { x: 0, y: 0, w: 1, h: 1 };
  const stage = $("stage");
  let moving = 0;
  let printing = false;
  function show() {
    if (printing) return;
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
    root.classList.toggle("far", view.w > 6 * stage.clientWidth); // too small to be read: not drawn, which is quicker
  }
  const LEGIBLE = 0.34; // how small a drawing begins at most
  const ratio = () => stage.clientHeight / Math.max(stage.clientWidth, 1);
  function look(x, y, w, smooth) {
    cancelAnimationFrame(moving);
    const from = { ...view }, begun = performance.now(), length = smooth && !calm ? 220 : 0;
    const step = (now) => {
      const t = length ? Math.min(Math.max((now - begun) / length, 0), 1) : 1, s = t * (2 - t);
      view.x = from.x + (x - from.x) * s;
      view.y = from.y + (y - from.y) * s;
      view.w = from.w + (w - from.w) * s;
      view.h = view.w * ratio();
      show();
      if (t < 1) moving = requestAnimationFrame(step);
    };
    step(begun);
  }
  function fit(smooth = true, least = 0) {
    const wide = extent[0] + 48, high = extent[1] + 48;
    const whole = Math.max(wide, high / ratio()), most = least ? stage.clientWidth / least : Infinity;
    if (whole <= most) return look((wide - whole) / 2 - 24, Math.min((high - whole * ratio()) / 2 - 24, -24), whole, smooth);
    const first = data.nodes.findIndex((node) => node.start), at = boxOf(first < 0 ? 0 : first);
    look(Math.min(Math.max(at.x + NODE_W / 2 - most / 2, -24), Math.max(wide - most - 24, -24)), -24, most, smooth);
  }
  function boxOf(n) {
    const [b, x, y] = data.boxes[n], [cx, cy] = corners[b];
    return folded.has(b) ? { x: cx, y: cy } : { x: cx + x, y: cy + y };
  }
  function centre(n, smooth = true) {
    const at = boxOf(n), w = Math.min(view.w, stage.clientWidth / 0.75), h = w * ratio(), seen = view.w * ratio();
    const inside = at.x > view.x + 20 && at.x + NODE_W < view.x + view.w - 20 && at.y > view.y + 20 && at.y + NODE_H < view.y + seen - 20;
    if (!inside || w < view.w) look(at.x + NODE_W / 2 - w / 2, at.y + NODE_H / 2 - h / 2, w, smooth);
  }
  function zoom(factor, px, py) {
    const w = Math.min(Math.max(view.w * factor, 200), Math.max(extent[0], extent[1]) * 4 + 2000);
    const fx = px / stage.clientWidth, fy = py / stage.clientHeight, h = (w * view.h) / view.w;
    look(view.x + (view.w - w) * fx, view.y + (view.h - h) * fy, w, false);
  }
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = stage.getBoundingClientRect(), unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 400 : 1;
    zoom(Math.exp(Math.max(Math.min(event.deltaY * unit, 240), -240) * (event.ctrlKey ? 0.006 : 0.0022)), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  const fingers = new Map();
  let dragged = 0;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) dragged = 0;
  });
  addEventListener("pointermove", (event) => {
    const old = fingers.get(event.pointerId);
    if (!old) return;
    const scale = view.w / stage.clientWidth, others = [...fingers.values()].filter((f) => f !== old);
    dragged += Math.abs(event.clientX - old.clientX) + Math.abs(event.clientY - old.clientY);
    if (dragged > 4) stage.classList.add("dragging");
    if (!others.length) look(view.x - (event.clientX - old.clientX) * scale, view.y - (event.clientY - old.clientY) * scale, view.w, false);
    else {
      const box = stage.getBoundingClientRect(), other = others[0];
      const far = (e) => Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY) || 1;
      zoom(far(old) / far(event), (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
    }
    fingers.set(event.pointerId, event);
  });
  for (const kind of ["pointerup", "pointercancel"])
    addEventListener(kind, (event) => { fingers.delete(event.pointerId); if (!fingers.size) stage.classList.remove("dragging"); });
  addEventListener("beforeprint", () => {
    printing = true;
    svg.setAttribute("viewBox", `-24 -24 ${extent[0] + 48} ${extent[1] + 48}`);
    root.classList.remove("far");
  });
  addEventListener("afterprint", () => { printing = false; show(); });
  new ResizeObserver(() => { view.h = view.w * ratio(); show(); }).observe(stage); // a move under way goes on

  // ------------------------------------------------------------------ the panel

  let selected = -1;
  const link = (name) => {
    const made = make("a", "", name);
    made.href = "#" + encodeURIComponent(name);
    return made;
  };
  function list(title, items) {
    if (!items.length) return;
    $("about").append(make("h3", "", title));
    const ul = $("about").appendChild(make("ul"));
    for (const parts of items) ul.appendChild(make("li")).append(...parts);
  }
  const labelled = (name, words) => [link(name), ...(words ? [make("span", "label", words)] : [])];
  const problemText = (p) => [make("strong", p.severity, p.code), " " + p.message + (p.hint ? (/[.!?]$/.test(p.message) ? " " : ". ") + p.hint : "") + (p.place ? ` (${p.place})` : "")];
  function describe() {
    const about = $("about");
    about.replaceChildren();
    if (selected < 0) {
      about.append(make("h2", "", data.title), make("p", "soft", data.summary));
      about.append(make("p", "soft", "Select a node to see its fields. Press / to search, t for a table, 0 to fit, ? for all keys."));
      list("problems", [...data.problems, ...data.nodes.flatMap((n) => n.problems)].map((p) => (p.node ? [link(p.node), " ", ...problemText(p)] : problemText(p))));
      return;
    }
    const node = data.nodes[selected];
    const words = [node.word, node.place, node.fn && `in ${node.fn}`, node.group && `one of ${node.group}`, node.change, node.count === null ? "" : `entered ${node.count} times`];
    about.append(make("h2", "", node.name), make("p", "soft", words.filter(Boolean).join(" · ")));
    list("problems", node.problems.map(problemText));
    for (const [name, text, was] of node.fields) {
      if (name === "name" || name === "action") continue;
      about.append(make("h3", "", name.replaceAll("_", " ")));
      if (was !== null) about.append(make("del", "text", was || "(empty)"));
      if (text) about.append(make(was === null ? "p" : "ins", "text", text));
    }
    const way = (e, name) => labelled(name, [data.edges[e].kind === "call" ? "call" : "", data.edges[e].labels.join(" | "), data.edges[e].count === null ? "" : `×${data.edges[e].count}`].filter(Boolean).join(" · "));
    list("goes to", [...out[selected].map((e) => way(e, data.edges[e].t)), ...node.exits.map(([text, label]) => [make("span", "", text), ...(label ? [make("span", "label", label)] : [])])]);
    list("comes from", into[selected].map((e) => way(e, data.edges[e].s)));
  }
  function select(n, { focus = false, move = true } = {}) {
    for (const g of all(".on,.picked")) g.classList.remove("on", "picked");
    selected = n;
    if (n >= 0) {
      setFolded(data.boxes[n][0], false);
      nodeOf[n].classList.add("picked");
      for (const e of [...out[n], ...into[n]]) for (const g of edgesOf[e] || []) g.classList.add("on");
      for (const g of all(`[data-x="${n}"]`)) g.classList.add("on");
      if (focus) nodeOf[n].focus({ preventScroll: true });
    }
    root.classList.toggle("selecting", n >= 0);
    describe();
    $("panel").scrollTop = 0;
    if (n >= 0 && move) centre(n); // only now: on a narrow screen the panel leaves less room for the drawing
    const hash = n >= 0 ? "#" + encodeURIComponent(data.nodes[n].name) : "";
    if (location.hash !== hash) history.replaceState(null, "", hash || location.pathname + location.search);
  }
  function follow() {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* a lone % sign: the name as it stands */ }
    const n = index.get(name) ?? (members.get(name) || [])[0];
    if (n === undefined) return false;
    $("table").hidden = true;
    select(n);
    return true;
  }
  addEventListener("hashchange", follow);

  // ------------------------------------------------------------------ nodes and functions answer to mouse and keys

  const press = (g, action) => {
    g.setAttribute("tabindex", "0");
    g.setAttribute("role", "button");
    g.addEventListener("click", () => dragged > 4 || action());
    g.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      action();
    });
  };
  nodeOf.forEach((g, n) => {
    press(g, () => select(n, { focus: true, move: false }));
    g.addEventListener("keydown", (event) => walk(event, n));
    g.addEventListener("focus", () => g.matches(":focus-visible") && centre(n));
  });
  blockOf.forEach((g, b) => {
    for (const [part, close] of [[".head", true], [".closed", false]]) {
      const handle = g.querySelector(part);
      if (!handle) continue;
      handle.setAttribute("aria-label", `${close ? "Fold" : "Open"} ${data.blocks[b].title}`);
      press(handle, () => {
        setFolded(b, close);
        g.querySelector(close ? ".closed" : ".head").focus({ preventScroll: true });
      });
    }
  });
  svg.addEventListener("click", (event) => { if (dragged <= 4 && !event.target.closest("[role=button]")) select(-1); });
  function walk(event, n) {
    const next = () => (out[n].length ? targets(data.edges[out[n][0]])[0] : undefined);
    const before = () => (into[n].length ? index.get(data.edges[into[n][0]].s) : undefined);
    const beside = (step) => {
      const from = before();
      const ring = from === undefined ? [] : [...new Set(out[from].flatMap((e) => targets(data.edges[e])))];
      return ring.length ? ring[(ring.indexOf(n) + step + ring.length) % ring.length] : undefined;
    };
    const to = { ArrowDown: next, ArrowUp: before, ArrowRight: () => beside(1), ArrowLeft: () => beside(-1) }[event.key];
    if (!to) return;
    event.preventDefault();
    const found = to();
    if (found !== undefined) select(found, { focus: true });
  }

  // ------------------------------------------------------------------ search

  const search = $("search"), count = $("count");
  let hits = [], current = -1;
  const texts = data.nodes.map((node) => [node.name, node.word, node.place, ...node.fields.map((f) => f[1])].join("\n").toLowerCase());
  const total = count.textContent;
  function find() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    hits = words.length ? texts.flatMap((text, n) => (words.every((word) => text.includes(word)) ? [n] : [])) : [];
    current = -1;
    root.classList.toggle("searching", words.length > 0);
    for (const g of all(".found")) g.classList.remove("found");
    const closed = new Map();
    for (const n of hits) {
      nodeOf[n].classList.add("found");
      const b = data.boxes[n][0];
      if (folded.has(b)) closed.set(b, (closed.get(b) || 0) + 1);
    }
    for (const b of closed.keys()) blockOf[b].classList.add("found");
    count.textContent = words.length ? `${hits.length} of ${data.nodes.length}` : total;
  }
  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && hits.length) {
      current = (current + (event.shiftKey ? hits.length - 1 : 1) + (current < 0 && event.shiftKey ? 1 : 0)) % hits.length;
      select(hits[current]);
      count.textContent = `${current + 1} of ${hits.length}`;
    } else if (event.key === "Escape") {
      search.value = "";
      find();
      search.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  // ------------------------------------------------------------------ the table, the theme, the keys

  function table() {
    const section = $("table");
    section.hidden = !section.hidden;
    $("as-table").setAttribute("aria-pressed", String(!section.hidden));
    const body = section.querySelector("tbody");
    if (section.hidden || body.childElementCount) return;
    data.nodes.forEach((node, n) => {
      const row = body.appendChild(make("tr"));
      row.appendChild(make("th")).append(link(node.name));
      row.querySelector("th").scope = "row";
      for (const text of [node.word, node.place, node.fn || "–"]) row.append(make("td", "", text));
      row.append(make("td", "text", node.text));
      const ways = row.appendChild(make("td")).appendChild(make("ul"));
      for (const e of out[n]) ways.appendChild(make("li")).append(...labelled(data.edges[e].t, data.edges[e].labels.join(" | ") || (data.edges[e].kind === "call" ? "call" : "")));
      for (const [text, label] of node.exits) ways.append(make("li", "", label ? `${text}: ${label}` : text));
    });
  }
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const actions = {
    "/": () => { search.focus(); search.select(); },
    0: () => fit(),
    "+": () => zoom(0.8, stage.clientWidth / 2, stage.clientHeight / 2),
    "-": () => zoom(1.25, stage.clientWidth / 2, stage.clientHeight / 2),
    t: table,
    d: () => { root.dataset.theme = isDark() ? "light" : "dark"; },
    f: () => {
      const close = data.blocks.some((block, b) => block.name && !folded.has(b));
      folded.clear();
      if (close) data.blocks.forEach((block, b) => block.name && folded.add(b));
      place();
      fit(false, LEGIBLE);
      if (selected >= 0) centre(selected);
    },
    "?": () => { const help = $("help"); if (help.open) help.close(); else help.showModal(); },
    Escape: () => (search.value ? ((search.value = ""), find()) : select(-1)),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    const action = actions[event.key === "=" ? "+" : event.key];
    if (!action || (event.key === "Escape" && $("help").open)) return;
    event.preventDefault();
    action();
  });
  for (const [id, key] of [["fit", 0], ["as-table", "t"], ["theme", "d"], ["fold", "f"], ["keys", "?"]]) $(id).addEventListener("click", actions[key]);
  $("fold").hidden = data.blocks.every((block) => !block.name);

  root.classList.add("ready");
  for (const b of data.folded) folded.add(b);
  place();
  fit(false, LEGIBLE);
  describe();
  follow();
})();
