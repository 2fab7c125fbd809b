import type { Html } from './html.js';
import type { Album } from './picture.js';

/** Where an explanation is on its page. */
export interface PagePlace {
  /** The prefix of all ids in it. */
  readonly id: string;
  /** Anchors, to which the verdicts that it explains are linked. */
  readonly anchors: Html;
  readonly album: Album;
  /** Whether it is open from the start. */
  readonly open: boolean;
}
