// Elements that chessground's style sheets name.
import "preact";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      piece: HTMLAttributes<HTMLElement>;
      square: HTMLAttributes<HTMLElement>;
      "cg-board": HTMLAttributes<HTMLElement>;
    }
  }
}
