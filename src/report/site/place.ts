import type { Html } from './html.js';
import type { Album } from './picture.js';

/** Where an explanation is on its page, and how it stands there. */
export interface PagePlace {
  /** Begins all ids in it. */
  readonly id: string;
  /** Where the verdicts lead that it is about. */
  readonly anchors: Html;
  readonly album: Album;
  /** Is it open from the start? */
  readonly open: boolean;
}
