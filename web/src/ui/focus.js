// The keyboard keeps its place: where the element with the focus vanishes or is disabled, the part of the page around it
// takes the focus, so that Tab goes on from there.

/** The element that had the focus last, and those around it, the nearest first. @type {HTMLElement[]} */
let places = [];

function note(/** @type {Event} */ { target }) {
  places = [];
  for (let at = /** @type {HTMLElement | null} */ (target); at; at = at.parentElement) places.push(at);
}

/** A part of the page, not an element that does something: a key that is held must do nothing there. */
const isPart = (/** @type {HTMLElement} */ element) => element.isConnected && element.matches("[tabindex='-1']:not(button, [role=gridcell])");

function keep() {
  const [last] = places;
  const { activeElement } = document;
  if (!last || (last.isConnected && !last.matches(":disabled")) || (activeElement !== document.body && activeElement !== last)) return;
  const part = places.find(isPart) ?? document.querySelector("main .panel");
  /** @type {HTMLElement | null} */ (part)?.focus({ preventScroll: true });
}

export function keepFocus() {
  addEventListener("focusin", note);
  // Who points elsewhere has left.
  addEventListener("pointerdown", () => (places = []), { capture: true });
  new MutationObserver(keep).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
}
