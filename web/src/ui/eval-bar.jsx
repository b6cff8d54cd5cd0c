// The bar beside the board: White's chances, or the engine's own of win, draw and loss.

import { evaluation, mayShow } from "../app/analysis.js";
import { orientation } from "../app/game.js";
import { settings } from "../store/settings.js";
import { retry } from "../app/retry.js";

export function EvalBar() {
  if (!settings.value.bar || !mayShow.value || retry.value) return <div class="eval-bar empty" aria-hidden="true" />;
  const known = evaluation.value;
  const percent = known?.percent ?? 50;
  const text = known?.text ?? "";
  const [wins, draws] = (settings.value.wdl && known?.wdl) || [percent, 0];
  const words = draws > 0 ? `White wins ${Math.round(wins)} %, draw ${Math.round(draws)} %, Black wins ${Math.round(100 - wins - draws)} %` : `${Math.round(percent)} %`;
  const flipped = orientation.value === "black";
  return (
    <div
      class={`eval-bar ${flipped ? "flipped" : ""} ${known ? "" : "unknown"}`} role="meter" aria-label="White's chances" aria-valuemin={0}
      aria-valuemax={100} aria-valuenow={Math.round(percent)} aria-valuetext={known ? `${words}, ${text}` : "not known"}
    >
      {draws > 0 && <div class="draws" style={{ height: `${wins + draws}%` }} />}
      <div class="white" style={{ height: `${wins}%` }} />
      <span class={`score ${percent >= 50 ? "low" : "high"}`} aria-hidden="true">{text.replace("−", "").replace(/(\d\d+\.\d)\d$/, "$1").replace(/(\.\d)\d$/, "$1").replace("+", "")}</span>
    </div>
  );
}
