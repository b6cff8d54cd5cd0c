// The service worker: offline use, and the headers for threads. It is never needed: without it all goes on.

import { toast } from "./notices.js";

/** Registers the worker. A refusal, as by browsers that block a site's data, changes nothing. */
export async function workOffline() {
  try {
    const registration = await navigator.serviceWorker.register("sw.js");
    if (registration.waiting && navigator.serviceWorker.controller) offerUpdate(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed" && navigator.serviceWorker.controller) offerUpdate(worker);
      });
    });
  } catch {
    // No service worker here.
  }
}

/** @param {ServiceWorker} worker */
function offerUpdate(worker) {
  toast("A new version of the page is here.", "Reload to update", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage("activate");
  });
}
