// The content of a file: a figure, its motions, a skin.
import { Figure } from "./figure.js";
import { Owned, type Module } from "./module.js";
import { Clip } from "./motion.js";
import type { ContentInfo } from "./results.js";

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

  drop(): void {
    this.owned.drop();
  }
}
