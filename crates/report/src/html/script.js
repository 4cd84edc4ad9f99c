"use strict";
// Everything that is shown is set as text, never as markup: names and values come from class files.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const view = document.getElementById("view");
  const search = document.getElementById("search");
  const counted = document.getElementById("counted");
  // Rows are made when they are scrolled to; more at once make a large report slow to open.
  const CHUNK = 60;
  const filter = { text: "", kinds: new Set(), counted: false };

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity)) {
      if (child !== undefined && child !== null) element.append(child);
    }
    return element;
  }

  const plural = (count, one, many) => `${count} ${count === 1 ? one : many || one + "s"}`;
  const shade = { violations: "bad", nothing_found: "good", inconclusive: "doubtful" };
  const words = { violations: "violations", nothing_found: "nothing found", inconclusive: "inconclusive" };
  const kindShade = (kind) => (kind === "result" ? "doubtful" : "bad");
  const findingLink = (finding) =>
    `#/finding/${encodeURIComponent(data.classes[finding.class].name)}/${encodeURIComponent(finding.id)}`;
  const classLink = (entry) => `#/class/${encodeURIComponent(entry.name)}`;

  // What is searched in, made once.
  for (const finding of data.findings) {
    finding.haystack = [data.classes[finding.class].name, finding.headline, finding.id, finding.kindText].join("\n").toLowerCase();
  }
  for (const entry of data.classes) entry.haystack = `${entry.name}\n${words[entry.conclusion]}`.toLowerCase();

  const wantedText = (entry) => filter.text.split(/\s+/).every((word) => entry.haystack.includes(word));
  const wantedFinding = (finding) =>
    (!filter.counted || finding.counts) && (filter.kinds.size === 0 || filter.kinds.has(finding.kind)) && wantedText(finding);

  let observer = null;
  function lazyList(kind, items, row) {
    const list = make("ul", { class: `rows ${kind}` });
    const end = make("div", { class: "end" });
    let shown = 0;
    const more = () => {
      const part = document.createDocumentFragment();
      for (const item of items.slice(shown, shown + CHUNK)) part.append(make("li", {}, row(item)));
      list.append(part);
      shown = Math.min(shown + CHUNK, items.length);
      if (shown === items.length && observer) observer.disconnect();
    };
    if (observer) observer.disconnect();
    observer = new IntersectionObserver((seen) => { if (seen.some((entry) => entry.isIntersecting)) more(); }, { rootMargin: "800px" });
    more();
    if (shown < items.length) observer.observe(end);
    list.more = more;
    return [list, end];
  }

  function findingRow(finding) {
    return make("a", { href: findingLink(finding) },
      make("span", { class: kindShade(finding.kind) }, finding.kindText),
      make("span", {}, make("span", { class: "name" }, data.classes[finding.class].name), make("br"),
        make("span", { class: "line" }, finding.headline),
        finding.counts ? undefined : make("span", { class: "quiet" }, make("br"), `does not count: ${finding.because}`)),
      make("span", { class: "id" }, finding.id));
  }

  function classRow(entry) {
    const share = entry.pairs ? Math.round((100 * entry.covered) / entry.pairs) : 0;
    const part = make("b");
    part.style.width = `${share}%`;
    return make("a", { href: classLink(entry) },
      make("span", { class: "name" }, entry.name),
      make("span", { class: shade[entry.conclusion] }, words[entry.conclusion]),
      make("span", { class: "bar", title: "pairs of methods that could hurt each other, and those that were covered" },
        make("i", {}, part), `${entry.covered} of ${entry.pairs} pairs`),
      make("span", { class: "number" }, `${entry.seconds.toFixed(1)} s`),
      make("span", { class: "number" }, plural(entry.findings, "finding")));
  }

  function showFindings() {
    const findings = data.findings.filter(wantedFinding);
    return [make("p", { class: "count", role: "status" }, `${findings.length} of ${plural(data.findings.length, "finding")}`),
      lazyList("findings", findings, findingRow)];
  }

  function showClasses() {
    const classes = data.classes.filter(wantedText);
    return [make("p", { class: "count", role: "status" }, `${classes.length} of ${plural(data.classes.length, "class", "classes")}`),
      lazyList("classes", classes, classRow)];
  }

  function showClass(name) {
    const number = data.classes.findIndex((entry) => entry.name === name);
    if (number < 0) return [make("p", {}, `There is no class ${name} in this report.`)];
    const entry = data.classes[number];
    const findings = data.findings.filter((finding) => finding.class === number && wantedFinding(finding));
    return [
      make("h2", {}, entry.name, " ", make("span", { class: shade[entry.conclusion] }, words[entry.conclusion])),
      make("ul", { class: "facts" },
        make("li", {}, `${entry.covered} of ${entry.pairs} pairs of methods that could hurt each other covered`),
        make("li", {}, `${plural(entry.plans, "test")}, ${plural(entry.schedules, "schedule")} in ${entry.seconds.toFixed(1)} s`),
        entry.gaps.map((gap) => make("li", {}, gap)), entry.notes.map((note) => make("li", {}, note))),
      lazyList("findings", findings, findingRow),
    ];
  }

  function copyButton(text) {
    const button = make("button", { type: "button", "aria-label": `Copy ${text}` }, "Copy");
    button.addEventListener("click", async () => {
      let done = false;
      try {
        await navigator.clipboard.writeText(text);
        done = true;
      } catch {
        // Where a page from a file may not use the clipboard, the old way may still do.
        const area = make("textarea", { "aria-hidden": "true" });
        area.value = text;
        document.body.append(area);
        area.select();
        done = document.execCommand("copy");
        area.remove();
      }
      button.textContent = done ? "Copied" : "Not copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    return button;
  }

  // The stepper of the finding that is shown.
  let player = null;

  function lanes(details) {
    const threads = [...new Set(details.steps.map((step) => step.thread))].sort((a, b) => a - b);
    const names = new Map(threads.map((thread) => [thread, details.threads[thread] || `thread ${thread}`]));
    const grid = make("div", { class: "steps" });
    grid.style.gridTemplateColumns = `repeat(${threads.length}, minmax(13rem, 1fr))`;
    const held = new Map();
    for (const thread of threads) {
      const locks = make("small");
      held.set(thread, locks);
      grid.append(make("div", { class: "lane" }, names.get(thread), locks));
    }
    let row = 2;
    const buttons = details.steps.map((step, number) => {
      if (number > 0 && details.steps[number - 1].thread !== step.thread) {
        const line = make("hr");
        line.style.gridRow = row++;
        grid.append(line);
      }
      const button = make("button", { type: "button", onclick: () => go(number) },
        make("span", {}, step.text), make("span", {}, step.at || ""),
        step.below || step.source
          ? make("span", { class: "source" }, step.source || `in ${step.below} ›`)
          : undefined);
      button.style.gridColumn = threads.indexOf(step.thread) + 1;
      button.style.gridRow = row++;
      grid.append(button);
      return button;
    });
    const range = make("input", { type: "range", min: 0, max: details.steps.length - 1, value: 0, "aria-label": "Step" });
    range.addEventListener("input", () => go(Number(range.value)));
    const step = (label, title, by) => make("button", { type: "button", title, onclick: () => go(by()) }, label);
    let at = 0;
    const last = details.steps.length - 1;
    const back = step("← Back", "One step back (←)", () => at - 1);
    const forth = step("Step →", "One step (→)", () => at + 1);
    const state = make("div", { class: "state", "aria-live": "polite" });

    function go(number) {
      at = Math.max(0, Math.min(last, number));
      range.value = at;
      back.disabled = at === 0;
      forth.disabled = at === last;
      buttons.forEach((button, other) => {
        button.className = other === at ? "now" : other > at ? "future" : "past";
        if (other === at) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      });
      buttons[at].scrollIntoView({ block: "nearest" });
      const locks = new Map();
      const values = new Map();
      for (const done of details.steps.slice(0, at + 1)) {
        locks.set(done.thread, done.held);
        if (done.value !== undefined) values.set(done.what, done.value);
      }
      for (const [thread, line] of held) {
        const names = locks.get(thread) || [];
        line.textContent = names.length ? `holds ${names.join(", ")}` : "";
      }
      const now = details.steps[at];
      state.replaceChildren(
        make("h3", {}, `Step ${at + 1} of ${last + 1}`),
        make("dl", {}, make("dt", {}, names.get(now.thread)), make("dd", {}, now.text),
          now.file ? [make("dt", {}, "at"), make("dd", {}, now.file)] : undefined,
          now.below ? [make("dt", {}, "in"), make("dd", {}, now.below)] : undefined,
          now.source ? [make("dt", {}, "source"), make("dd", { class: "code" }, now.source)] : undefined),
        make("h3", {}, "Locks held"),
        make("dl", {}, threads.map((thread) => [make("dt", {}, names.get(thread)),
          make("dd", {}, (locks.get(thread) || []).join(", ") || "none")])),
        make("h3", {}, "Values so far"),
        values.size
          ? make("dl", {}, [...values].map(([what, value]) => [make("dt", {}, what),
            make("dd", { class: what === now.what && now.value !== undefined ? "changed" : "" }, value)]))
          : make("p", { class: "quiet" }, "none yet"));
    }
    go(0);
    player = { go, at: () => at, last };
    return make("div", { class: "player" },
      make("div", {}, make("div", { class: "controls" }, back, forth, range), make("div", { class: "lanes" }, grid)), state);
  }

  function showFinding(className, id) {
    const number = data.findings.findIndex((finding) => finding.id === id && data.classes[finding.class].name === className);
    if (number < 0) return [make("p", {}, `There is no finding ${id} of ${className} in this report.`)];
    const finding = data.findings[number];
    // Parsed when it is opened, since there may be thousands.
    const details = JSON.parse(document.getElementById(`finding-${number}`).textContent);
    const entry = data.classes[finding.class];
    return [
      make("h2", {}, make("span", { class: kindShade(finding.kind) }, finding.kindText), " ",
        make("a", { href: classLink(entry) }, entry.name), " ", make("code", {}, finding.id)),
      make("p", { class: "sentence" }, details.sentence),
      finding.counts ? undefined : make("p", { class: "doubtful" }, `Does not count: ${finding.because}`),
      make("ul", { class: "facts" }, details.facts.map((fact) => make("li", {}, fact))),
      make("h3", {}, "The calls, and what came of them"),
      make("div", { class: "scroll" }, make("table", { class: "calls" },
        make("tr", {}, ["", "call", "here", "one at a time"].map((name) => make("th", {}, name))),
        details.calls.map((call) => make("tr", { class: call.decisive ? "decisive" : "" },
          [call.part, call.call, call.result, call.sequential || ""].map((cell) => make("td", {}, cell)))))),
      make("h3", {}, "What the threads did"),
      details.steps.length ? lanes(details) : make("p", { class: "quiet" }, "The folder has no trace of it; raddle replay shows what the threads did."),
      details.leftOut ? make("p", { class: "quiet" }, `${plural(details.leftOut, "step")} in the middle are left out.`) : undefined,
      details.stack.length ? [make("h3", {}, "Thrown"), make("pre", {}, details.stack.join("\n"))] : undefined,
      details.also.length ? [make("h3", {}, "Also seen with"), make("ul", { class: "facts" }, details.also.map((calls) => make("li", {}, calls)))] : undefined,
      make("h3", {}, "See it yourself"),
      make("div", { class: "commands" }, details.commands.map((command) => [copyButton(command), make("code", {}, command)])),
      make("p", { class: "quiet" }, "Folder: ", make("code", {}, details.folder)),
    ];
  }

  const route = () => location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);

  function show() {
    player = null;
    if (observer) observer.disconnect();
    let parts;
    try {
      parts = route();
    } catch {
      parts = [""];
    }
    const [place, first, second] = parts;
    const shown = place === "finding" ? showFinding(first, second)
      : place === "class" ? showClass(first)
        : place === "classes" ? showClasses() : showFindings();
    view.replaceChildren(...shown.flat(Infinity).filter((element) => element));
    document.getElementById("tab-findings").setAttribute("aria-selected", String(place === "" || place === "finding"));
    document.getElementById("tab-classes").setAttribute("aria-selected", String(place === "classes" || place === "class"));
    document.title = place === "finding" || place === "class" ? `${first} - Raddle report` : "Raddle report";
    view.dataset.ready = place || "findings";
  }

  const scrolled = new Map();
  let before = location.hash;
  window.addEventListener("hashchange", () => {
    scrolled.set(before, window.scrollY);
    before = location.hash;
    show();
    window.scrollTo(0, scrolled.get(before) || 0);
  });

  function toList() {
    // Searching in a finding means looking for another one.
    if (route()[0] === "finding") location.hash = "#/";
    else show();
  }
  search.addEventListener("input", () => { filter.text = search.value.trim().toLowerCase(); toList(); });
  counted.addEventListener("change", () => { filter.counted = counted.checked; toList(); });
  const numbers = new Map();
  for (const finding of data.findings) numbers.set(finding.kind, (numbers.get(finding.kind) || 0) + 1);
  for (const { kind, text } of data.kinds) {
    if (!numbers.has(kind)) continue;
    const button = make("button", { type: "button", "aria-pressed": "false", "data-kind": kind }, `${text} ${numbers.get(kind)}`);
    button.addEventListener("click", () => {
      if (!filter.kinds.delete(kind)) filter.kinds.add(kind);
      button.setAttribute("aria-pressed", String(filter.kinds.has(kind)));
      toList();
    });
    document.getElementById("kinds").append(button);
  }

  function changeTheme() {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  }
  document.getElementById("theme").addEventListener("click", changeTheme);

  function moveRow(by) {
    const list = view.querySelector(".rows");
    if (!list) return;
    const rows = [...list.querySelectorAll("a")];
    const at = rows.indexOf(document.activeElement);
    const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next) next.focus();
  }

  function moveFinding(by) {
    const [place, name, id] = route();
    if (place !== "finding") return;
    const findings = data.findings.filter(wantedFinding);
    const at = findings.findIndex((finding) => finding.id === id && data.classes[finding.class].name === name);
    const next = findings[at + by];
    if (next) location.hash = findingLink(next);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target === search;
    if (isTyping && event.key !== "Escape") {
      if (event.key === "ArrowDown") { moveRow(1); event.preventDefault(); }
      return;
    }
    const keys = {
      "/": () => search.focus(),
      j: () => moveRow(1),
      k: () => moveRow(-1),
      ArrowDown: () => { if (!player) moveRow(1); else return false; },
      ArrowUp: () => { if (!player) moveRow(-1); else return false; },
      ArrowRight: () => player && player.go(player.at() + 1),
      ArrowLeft: () => player && player.go(player.at() - 1),
      Home: () => (player ? player.go(0) : false),
      End: () => (player ? player.go(player.last) : false),
      "]": () => moveFinding(1),
      "[": () => moveFinding(-1),
      t: changeTheme,
      Escape: () => {
        if (isTyping) search.blur();
        else if (route()[0] === "finding" || route()[0] === "class") history.length > 1 ? history.back() : (location.hash = "#/");
        else return false;
      },
    };
    if (Object.hasOwn(keys, event.key) && keys[event.key]() !== false) event.preventDefault();
  });

  document.getElementById("summary").textContent = data.summary;
  show();
})();
