// Lets the server look at the form of a new campaign before it is sent: where something is wrong this
// page stays, and with it the files that were chosen.
const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-new]"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button.primary"));

/** The banner that says what is wrong; null where the form may be sent, or the server's own page says more. */
async function problem() {
  const sent = new FormData(form);
  sent.set("look", "on");
  try {
    const answer = await fetch(form.action, { method: "POST", body: sent, headers: { accept: "text/html" } });
    if (answer.status !== 422) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".banner.error");
  } catch {
    return null;
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  const banner = await problem();
  button.disabled = false;
  if (!banner) {
    form.submit();
    return;
  }
  const files = banner.querySelector("[data-files]");
  if (files) files.textContent = "Everything is as you left it.";
  document.querySelector(".banner.error")?.remove();
  form.before(document.adoptNode(banner));
  banner.scrollIntoView({ block: "center" });
});
