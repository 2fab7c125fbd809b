import type { Shipped } from './work.js';
import { Work, kept } from './work.js';

const FIRST = 'field/libfabric-completion';

/** A link that is the name of a program of the page. Other links have no slash. */
const NAME = /^[\w.-]+(?:\/[\w.-]+)+$/;

/** A program of the page as it is. */
export const begun = (shipped: Shipped, chosen = FIRST): Work =>
  new Work(shipped, { chosen, programs: [], models: [], asked: [] });

/** What was on the page when it was left; otherwise what the address asks, or the first program. */
export async function opened(shipped: Shipped): Promise<Work | { readonly wrong: string }> {
  const link = location.hash.slice(1);
  const before = left(shipped);
  if (before !== undefined) return before;
  if (link === '') return begun(shipped);
  if (NAME.test(link)) return begun(shipped, link);
  const { fromLink } = await import('./link.js');
  const found = await fromLink(link);
  return 'wrong' in found ? found : Work.ofLink(shipped, found);
}

/** What was on the page before a reload, or when a link led away from it. */
function left(shipped: Shipped): Work | undefined {
  try {
    const data = kept();
    return data && new Work(shipped, data);
  } catch {
    // A browser may refuse, and what is kept may be of an older page.
    return undefined;
  }
}
