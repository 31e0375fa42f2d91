// The content of a file: a figure, its motions, a skin.
import { bodyMesh, Figure } from "./figure.js";
import { Owned, type Module } from "./module.js";
import { Clip } from "./motion.js";
import type { BodyMesh, ContentInfo } from "./results.js";

export class Content {
  private readonly owned: Owned;

  constructor(
    private readonly module: Module,
    id: number,
    readonly info: ContentInfo,
  ) {
    this.owned = new Owned(module, id);
  }

  get id(): number {
    return this.owned.id;
  }

  /** The figure, with the common names of places and with mirror pairs if its rig is known. */
  figure(): Figure {
    return new Figure(this.module, this.module.accepted(this.module.calls.limber_content_figure(this.id)));
  }

  /** One of its motions, on figure(). */
  clip(figure: Figure, index = 0): Clip {
    return new Clip(figure, this.module.accepted(this.module.calls.limber_content_clip(this.id, index)));
  }

  /**
   * The body of a figure of it with the polygon files that a skeleton script names for its segments, if these were given
   * with it; undefined if there are none, and Figure.body() is all there is.
   */
  body(figure: Figure, detail = 16): BodyMesh | undefined {
    this.module.accepted(this.module.calls.limber_content_body(this.id, figure.id, detail));
    const bytes = this.module.bytes();
    return bytes.length > 0 ? bodyMesh(bytes) : undefined;
  }

  drop(): void {
    this.owned.drop();
  }
}
