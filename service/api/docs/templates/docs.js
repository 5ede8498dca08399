// Open the section that a link leads to, and leave only what has every word of the search.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  target.hidden = false;
  if (target instanceof HTMLDetailsElement) target.open = true;
  target.scrollIntoView();
}

function search(event) {
  const words = event.target.value.toLowerCase().split(/\s+/);
  for (const part of document.querySelectorAll("details, tr[id]")) {
    const text = part.textContent.toLowerCase();
    part.hidden = !words.every((word) => text.includes(word));
  }
}

addEventListener("hashchange", openTarget);
// A second click on one link changes no address.
addEventListener("click", (event) => event.target.closest("a[href^='#']") && setTimeout(openTarget));
document.getElementById("search").addEventListener("input", search);
openTarget();
