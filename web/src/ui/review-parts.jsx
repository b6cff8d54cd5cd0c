// Parts of the review that other panels show too: how far it is, and who made it.

import { challenge, takeChallenge } from "../app/challenge.js";
import { cancelReview, current, progress, reviewer, startReview } from "../app/review.js";
import { REVIEW_NODES } from "../app/engine.js";

export function Progress() {
  const state = progress.value;
  if (!state) return null;
  return (
    <div class="progress">
      <progress max={state.total} value={state.done} aria-label="Review" />
      <span>{state.done} of {state.total} positions</span>
      <button type="button" onClick={cancelReview}>Cancel</button>
    </div>
  );
}

/** Who made the report, and the choice of another one, or of one that takes longer. */
export function ReviewedBy() {
  if (!current.value) return null;
  const { by } = current.value;
  return (
    <p class="quiet small reviewed-by">
      {by && <span>{reviewer(by)}.</span>}
      {!progress.value && <button type="button" onClick={() => startReview()}>Review again</button>}
      {(by?.nodes ?? 0) < REVIEW_NODES.thorough && !progress.value && <button type="button" onClick={() => startReview("thorough")}>Review thoroughly</button>}
    </p>
  );
}

/** The mistake that a shared link asks about. */
export function Challenge() {
  const asked = challenge.value;
  if (!asked) return null;
  return (
    <section class="challenge" aria-label="Retry">
      <p>{asked.moveNumber}{asked.mover === "white" ? "." : "…"} {asked.san} was not the best. Do you find a better move?</p>
      <button type="button" class="primary" onClick={takeChallenge}>Try it</button>
    </section>
  );
}
