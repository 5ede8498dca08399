"use strict";
// The page holds the steps of a game, each with what changed in the state: going on applies the changes, going back
// undoes them. Everything that people typed is set as text, never as markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const game = JSON.parse(byId("game").textContent);
  const COLOURS = ["#d33", "#36c", "#2a2", "#c80", "#939", "#0aa", "#855", "#666"];
  const SVG = "http://www.w3.org/2000/svg";
  let at = 0, state = null, timer = 0;
  const balances = new Map();

  const parts = (path) => path.split("/").slice(1).map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));

  function set(path, value, op) {
    const way = parts(path);
    if (!way.length) { state = structuredClone(value); return; }
    const last = way.pop();
    let target = state;
    for (const part of way) target = target[part];
    if (op === "remove") Array.isArray(target) ? target.splice(Number(last), 1) : delete target[last];
    else if (op === "add" && Array.isArray(target)) target.splice(Number(last), 0, structuredClone(value));
    else target[last] = structuredClone(value);
  }

  function post(step, sign) {
    for (const entry of step.entries)
      for (const [account, amount] of entry.postings) {
        const { balance, postings } = balances.get(account) || { balance: 0, postings: 0 };
        balances.set(account, { balance: balance + sign * amount, postings: postings + sign });
        if (!balances.get(account).postings) balances.delete(account); // before the first, there is no such account
      }
  }

  function on() {
    const step = game.steps[at];
    for (const [op, path, , after] of step.changes) set(path, after, op);
    post(step, 1);
    at += 1;
  }

  const UNDO = { add: "remove", remove: "add", replace: "replace" };

  function undo() {
    at -= 1;
    const step = game.steps[at];
    for (const [op, path, before] of [...step.changes].reverse()) set(path, before, UNDO[op]);
    post(step, -1);
  }

  function go(to) {
    const wanted = Math.max(1, Math.min(game.steps.length, to));
    while (at < wanted) on();
    while (at > wanted) undo();
    draw();
  }

  // --- drawing

  function make(parent, name, attributes = {}, text = null) {
    const made = parent.namespaceURI === SVG ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== null) made.textContent = text;
    parent.appendChild(made);
    return made;
  }

  const money = (amount) => (amount < 0 ? "-$" : "$") + Math.abs(amount).toLocaleString("en-US");
  const typed = (digest) => game.texts[digest] || "";

  function who(seat) {
    const sitter = state && state.seats[seat];
    return (sitter && typed(sitter.name)) || `Seat ${seat}`;
  }

  function account(name) {
    return name.startsWith("seat:") ? who(name.slice(5)) : name;
  }

  function rows(table, head, lines) {
    table.replaceChildren();
    if (!lines.length) return;
    const top = make(make(table, "thead"), "tr");
    for (const word of head) make(top, "th", {}, word);
    const body = make(table, "tbody");
    for (const line of lines) {
      const row = make(body, "tr", line.attributes || {});
      for (const cell of line.cells)
        make(row, "td", typeof cell === "number" ? { class: "number" } : {}, typeof cell === "number" ? money(cell) : cell);
    }
  }

  function colour(group) {
    let sum = 0;
    for (const letter of group) sum = (sum * 31 + letter.charCodeAt(0) * 47) % 360;
    return `hsl(${sum} 60% 70% / .35)`;
  }

  function places() {
    const found = [];
    for (const [seat, one] of Object.entries(state.players || {})) {
      if (state.seats[seat] && state.seats[seat].left) continue;
      found.push([seat, `${one.track}:${one.block}`]);
      if (one.partner >= 0) found.push([seat, `cake_walk:${one.partner}`]);
    }
    for (const [seat, one] of Object.entries(state.citizens || {}))
      if (!one.out) found.push([seat, one.jailed ? "jail" : `square:${one.square}`]);
    return found;
  }

  const shapes = new Map();

  function board() {
    const svg = byId("board");
    const wide = Math.max(1, ...game.spots.map((spot) => spot[2] + 1));
    const high = Math.max(1, ...game.spots.map((spot) => spot[3] + 1));
    svg.setAttribute("viewBox", `-0.1 -0.1 ${wide + 0.2} ${high + 0.2}`);
    for (const [id, name, x, y, group] of game.spots) {
      const shape = make(svg, "rect", { class: "spot", x, y, width: 0.96, height: 0.96, rx: 0.08 });
      shape.style.fill = colour(group);
      make(shape, "title", {}, `${id}: ${name}`);
      name.split(" ").slice(0, 3).forEach((word, line) =>
        make(svg, "text", { x: x + 0.48, y: y + 0.22 + line * 0.19 }, word.length > 8 ? word.slice(0, 7) + "…" : word));
      shapes.set(id, { shape, x, y });
    }
    make(svg, "g", { id: "markers" });
  }

  function markers() {
    const group = byId("markers");
    group.replaceChildren();
    const crowd = new Map();
    for (const [seat, id] of places()) {
      const spot = shapes.get(id);
      if (!spot) continue;
      const beside = crowd.get(id) || 0;
      crowd.set(id, beside + 1);
      const centre = { cx: spot.x + 0.2 + (beside % 4) * 0.19, cy: spot.y + 0.78 - Math.floor(beside / 4) * 0.2 };
      const marker = make(group, "circle", { class: "marker", r: 0.14, ...centre, "data-seat": seat, "data-spot": id });
      marker.style.fill = COLOURS[(seat - 1) % COLOURS.length];
      make(marker, "title", {}, who(seat));
    }
    for (const { shape } of shapes.values()) { shape.classList.remove("held"); shape.style.stroke = ""; }
    for (const [square, title] of Object.entries(state.titles || {})) {
      const spot = shapes.get(`square:${square}`);
      if (!spot || !title.holder) continue;
      spot.shape.classList.add("held");
      spot.shape.style.stroke = COLOURS[(title.holder - 1) % COLOURS.length];
    }
  }

  function about(seat) {
    const player = (state.players || {})[seat], citizen = (state.citizens || {})[seat];
    if (player) return `month ${player.month}, children ${player.children}, notes ${player.notes}`;
    if (!citizen) return "";
    const titles = Object.values(state.titles).filter((title) => title.holder === Number(seat)).length;
    const marks = [citizen.jailed && "in jail", citizen.serving && "serving", citizen.out].filter(Boolean);
    return [citizen.role, `titles ${titles}`, ...marks].join(", ");
  }

  function seats() {
    const lines = Object.keys(state.seats).map((seat) => ({
      attributes: { "data-seat": seat, ...(state.active === Number(seat) ? { class: "active" } : {}) },
      cells: [who(seat), state.cash[`seat:${seat}`] || 0, about(seat)],
    }));
    rows(byId("seats"), ["Seat", "Cash", ""], lines);
    [...byId("seats").querySelectorAll("tbody tr")].forEach((row) => {
      row.firstChild.style.borderLeft = `.6rem solid ${COLOURS[(row.dataset.seat - 1) % COLOURS.length]}`;
    });
  }

  function list(parent, lines) {
    parent.replaceChildren();
    for (const line of lines) make(parent, "li", {}, line);
  }

  const words = (value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : String(value));

  function ballots() {
    const open = state.politics && state.politics.vote;
    if (!open) return [];
    const cast = open.ballots.map(({seat, ballot}) => `${who(seat)} ${ballot}`).join(", ");
    return [`Vote ${open.vote} is open (${open.needed} needed): ${cast || "no ballot yet"}`];
  }

  function politics(step) {
    const votes = step.votes.map((vote) =>
      Object.entries(vote).filter(([key]) => key !== "schema").map(([key, value]) => `${key} ${words(value)}`).join(", "));
    list(byId("votes"), [...votes, ...ballots()]);
    const stack = ((state.politics && state.politics.stack) || []).map((rule) => ({
      cells: [rule.rule, [...rule.settings, ...rule.transfers].map(words).concat(rule.texts.map((one) => typed(one) || one))
        .join("; "), `since turn ${rule.turn}`],
    }));
    rows(byId("rules"), ["Rule", "Says", ""], stack);
    byId("politics").hidden = !state.politics;
    const options = Object.entries(state.options).map(([name, value]) => ({ cells: [name, words(value)] }));
    rows(byId("options"), ["Option", "Value"], options);
  }

  function verified({ verdict, findings, checks, missing, unchecked }) {
    byId("verdict").textContent = verdict;
    list(byId("findings"), findings.map((one) =>
      `event ${one.version}, ${one.check}: expected ${one.expected}, found ${one.found}`));
    list(byId("checks"), [...checks.map((one) => `checked: ${one}`), ...missing.map((one) => `not checked: ${one}`),
      ...unchecked.map((one) => `open: ${one}`)]);
  }

  function draw() {
    const step = game.steps[at - 1];
    byId("where").textContent = `${at} of ${game.steps.length}, turn ${step.turn}`;
    byId("at").value = at;
    byId("what").textContent = `${step.n}. ${step.seat ? who(step.seat) : step.actor}: ${step.name}`;
    list(byId("lines"), step.lines);
    rows(byId("entries"), ["For", "Rule", "Account", "Amount"], step.entries.flatMap((entry) =>
      entry.postings.map(([name, amount]) => ({ cells: [entry.reason, entry.rule, account(name), amount] }))));
    rows(byId("balances"), ["Account", "Balance"], [...balances].sort().map(([name, { balance }]) => (
      { attributes: { "data-account": name, "data-balance": balance }, cells: [account(name), balance] })));
    if (!state) return;
    markers();
    seats();
    politics(step);
  }

  // --- keys and buttons

  function stop() {
    clearInterval(timer);
    timer = 0;
    byId("play").textContent = "Play";
  }

  function play() {
    if (timer) { stop(); return; }
    if (at >= game.steps.length) go(1);
    byId("play").textContent = "Pause";
    timer = setInterval(() => { go(at + 1); if (at >= game.steps.length) stop(); }, Number(byId("speed").value));
  }

  const keys = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(1), " ": play,
    End: () => go(game.steps.length) };

  byId("id").textContent = game.game;
  board();
  verified(game.verification);
  byId("at").max = game.steps.length;
  byId("first").onclick = keys.Home;
  byId("back").onclick = keys.ArrowLeft;
  byId("next").onclick = keys.ArrowRight;
  byId("last").onclick = keys.End;
  byId("play").onclick = play;
  byId("speed").onchange = () => { if (timer) { stop(); play(); } };
  byId("at").oninput = (event) => go(Number(event.target.value));
  document.addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT", "BUTTON"].includes(event.target.tagName) && event.key === " ") return;
    if (keys[event.key] && event.target.id !== "at") { event.preventDefault(); keys[event.key](); }
  });
  go(Number(location.hash.slice(1)) || 1);
})();
