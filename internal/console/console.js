// Times in the viewer's zone, charts, and the page again whenever it has changed.
(() => {
  const main = document.getElementById("main"), live = document.querySelector("#live span"), zone = document.getElementById("zone"), read = document.querySelector("#read time");
  const day = new Intl.DateTimeFormat("sv", { dateStyle: "short" }), clock = new Intl.DateTimeFormat("sv", { timeStyle: "medium" });
  const minutes = -new Date().getTimezoneOffset(), two = (n) => String(Math.floor(n)).padStart(2, "0");
  zone.textContent = minutes ? "UTC" + (minutes < 0 ? "−" : "+") + two(Math.abs(minutes) / 60) + ":" + two(Math.abs(minutes) % 60) : "UTC";
  function localize(root) {
    const today = day.format(new Date());
    root.querySelectorAll("time").forEach((e) => {
      const t = new Date(e.dateTime), d = day.format(t);
      e.textContent = (d === today ? "" : d + " ") + clock.format(t);
    });
  }
  function charts(root) {
    root.querySelectorAll("[data-chart]").forEach((box) => {
      dbschedChart(box, JSON.parse(box.nextElementSibling.textContent));
      if (box.dataset.chart === "end") box.scrollLeft = box.scrollWidth;
    });
  }
  localize(document); charts(main);

  // What is new waits while the mouse is on a row or a chart, a form is open or in use, or text is selected.
  let pending = null, at = "";
  const busy = () => main.querySelector("tr:hover, .chart:hover, details[open]") || main.contains(document.activeElement) && document.activeElement !== document.body ||
    String(getSelection()) !== "";
  function swap() {
    if (pending !== null && busy()) return;
    if (pending !== null) {
      const fresh = document.createElement("template");
      fresh.innerHTML = pending; pending = null;
      localize(fresh.content);
      main.replaceChildren(fresh.content); charts(main);
    }
    if (at) { read.dateTime = at; localize(read.parentElement); }
  }
  let tag = "", asking = false;
  async function ask() {
    const answer = await fetch(location.pathname + location.search, { headers: { Accept: "application/json", "Dbsched-Tag": tag }, signal: AbortSignal.timeout(60000) });
    if (!answer.ok) {
      const why = { 401: "your session has ended", 404: "what this page shows is no longer there" };
      live.textContent = "not live: " + (why[answer.status] || "the database cannot be read");
      return;
    }
    const part = await answer.json();
    live.textContent = "live"; at = part.read; tag = part.tag;
    document.querySelectorAll("[data-alarms]").forEach((e) => { e.hidden = !part.alarms; e.querySelector(".badge").textContent = part.alarms.toLocaleString("en"); });
    if (part.main !== undefined) pending = part.main;
    swap();
  }
  // A hidden page requests nothing, and of all pages of a browser one asks at a time: a slow database leaves connections for what is opened.
  async function refresh() {
    if (document.hidden || asking) return;
    asking = true;
    try { await (navigator.locks ? navigator.locks.request("dbsched", ask) : ask()); } catch { live.textContent = "not live: the console has ended"; }
    asking = false;
  }
  document.addEventListener("visibilitychange", refresh);
  main.addEventListener("mouseout", swap);
  setInterval(refresh, 2000);
  refresh();
})();
