import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import type { CNode } from './tree.js';
import { partsOf, treeOf } from './tree.js';

/**
 * What stands at the place of an instruction. Instructions that are written out several times are told apart by places that end earlier;
 * in the text, all of them are the whole of what begins there.
 */
export function wholeSpan(source: SourceFile, span: Span): Span {
  let node: CNode | undefined = treeOf(source);
  let found: CNode | undefined;
  while (node !== undefined) {
    if (node.startIndex === span.start && node.endIndex >= span.end) found = node;
    node = partsOf(node).find(
      ({ startIndex, endIndex }) => startIndex <= span.start && endIndex >= span.end,
    );
  }
  return { ...span, end: found?.endIndex ?? span.end };
}
