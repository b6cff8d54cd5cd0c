// Icons as paths on a grid of 24.

const PATHS = {
  first: "M18 6v12l-8-6zM6 6h3v12H6z",
  previous: "M16 5v14l-9-7z",
  next: "M8 5v14l9-7z",
  last: "M6 6v12l8-6zM15 6h3v12h-3z",
  flip: "M7 3l4 4H8v8H6V7H3zM17 21l-4-4h3V9h2v8h3z",
  hint: "M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2v.6h5v-.6c0-.8.4-1.5 1-2A6 6 0 0 0 12 3zM9.5 18h5v1.5h-5zM10.5 20.5h3v1h-3z",
  menu: "M4 6h16v2H4zM4 11h16v2H4zM4 16h16v2H4z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6 10.6 12 5 6.4z",
  flag: "M6 3h2v1h11l-3 4 3 4H8v9H6z",
  undo: "M9 5v4h5a5 5 0 0 1 0 10H8v-2h6a3 3 0 0 0 0-6H9v4L3 10z",
  again: "M12 5V2l5 4-5 4V7a5 5 0 1 0 5 5h2a7 7 0 1 1-7-7z",
  draw: "M5 8h14v2.5H5zM5 13.5h14V16H5z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  trash: "M9 3h6l1 2h4v2H4V5h4zM6 9h12l-1 12H7z",
};

/** @param {{ name: keyof typeof PATHS }} props */
export function Icon({ name }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} fill-rule="evenodd" />
    </svg>
  );
}

/**
 * A button that shows an icon.
 * @param {{ icon: keyof typeof PATHS, label: string, onClick: () => void, disabled?: boolean, class?: string }} props
 */
export function IconButton({ icon, label, onClick, disabled, class: name = "" }) {
  return (
    <button type="button" class={`icon-button ${name}`} aria-label={label} title={label} onClick={onClick} disabled={disabled}>
      <Icon name={icon} />
    </button>
  );
}
