// For tests: reads the report as people do, with clicks and keys, and writes down what it sees.
(async () => {
  const seen = { problems: [] };
  addEventListener("error", (event) => seen.problems.push(String(event.message)));
  document.addEventListener("securitypolicyviolation", (event) => seen.problems.push(`refused ${event.violatedDirective}`));
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
  const one = (selector) => document.querySelector(selector);
  const count = () => one(".count").textContent;
  const key = async (name, target = document.body) => {
    target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    await pause();
  };
  const type = async (text) => {
    one("#search").value = text;
    one("#search").dispatchEvent(new Event("input"));
    await pause();
  };
  try {
    seen.findings = count();
    const list = one(".rows");
    seen.rowsAtFirst = list.children.length;
    list.more();
    seen.rowsLater = list.children.length;
    await type("class123 ");
    seen.searched = count();
    one('[data-kind="deadlock"]').click();
    await pause();
    seen.filtered = count();
    await key("j");
    document.activeElement.click();
    await pause();
    seen.opened = one("h2").textContent;
    await key("End");
    seen.lanes = [...document.querySelectorAll(".lane")].map((lane) => lane.textContent).map((text, at) => (at === 0 ? text.slice(0, 8) : text));
    seen.lastStep = one(".state h3").textContent;
    await key("ArrowLeft");
    seen.stepBack = one(".state h3").textContent;
    seen.commands = document.querySelectorAll(".commands code").length;
    let copied = "";
    document.addEventListener("copy", () => { copied = document.getSelection().toString() || document.activeElement.value; });
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { copied = text; } } });
    one(".commands button").click();
    await pause();
    seen.copied = one(".commands button").textContent === "Copied" ? copied.split(" ").slice(0, 2).join(" ") : "nothing";
    one('[data-kind="deadlock"]').click();
    await type("");
    location.hash = "#/classes";
    await pause();
    seen.classes = count();
    const theme = () => document.documentElement.dataset.theme;
    seen.theme = [];
    await key("t");
    seen.theme.push(theme());
    await key("t");
    seen.theme.push(theme());
    await type("\u003c/script>");
    seen.evilIsText = [...document.querySelectorAll(".name")].some((name) => name.textContent.startsWith("\u003c/script>\u003cimg"));
    document.querySelector(".rows a").click();
    await pause();
    document.querySelector(".rows a").click();
    await pause();
    seen.evilIsText = seen.evilIsText && one(".sentence").textContent.startsWith("\u003c/script>\u003cimg");
    seen.images = document.images.length;
  } catch (problem) {
    seen.problems.push(String(problem.stack));
  }
  const pre = document.createElement("pre");
  pre.id = "seen";
  pre.textContent = JSON.stringify(seen);
  document.body.replaceChildren(pre);
})();
