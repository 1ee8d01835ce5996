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
  let events;
  function listen() {
    // The id of an event is when what it shows was read.
    const shows = (e) => { live.textContent = "live"; at = e.lastEventId; swap(); };
    events = new EventSource(location.pathname + location.search);
    events.addEventListener("main", (e) => { pending = e.data; shows(e); });
    events.addEventListener("same", shows);
    events.addEventListener("lost", () => { live.textContent = "not live: the database cannot be read"; });
    events.onerror = () => { live.textContent = "not live: the console or your session has ended"; };
  }
  // A hidden page requests nothing.
  document.addEventListener("visibilitychange", () => { if (document.hidden) events.close(); else listen(); });
  main.addEventListener("mouseout", swap);
  addEventListener("pagehide", () => events.close());
  if (!document.hidden) listen();
})();
