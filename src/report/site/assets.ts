import { INDEX_SCRIPT, TEST_SCRIPT } from './scripts.bundle.js';
import { fabricsStyle, indexStyle } from './index-style.js';
import { scriptOf, styleOf } from './paths.js';
import type { Site } from './site.js';
import { BASE_STYLE, PRINT_STYLE, TEST_STYLE } from './style.js';

/** The files that all pages of a site load, such as style sheets, with their paths in the folder of the site. */
export const assetsOf = ({
  models,
  fabrics,
}: Site): readonly (readonly [path: string, text: string])[] => [
  [styleOf('index'), BASE_STYLE + indexStyle(models.length) + PRINT_STYLE],
  [scriptOf('index'), INDEX_SCRIPT],
  [styleOf('test'), BASE_STYLE + TEST_STYLE + PRINT_STYLE],
  [scriptOf('test'), TEST_SCRIPT],
  ...(fabrics.length === 0
    ? []
    : ([[styleOf('fabrics'), BASE_STYLE + fabricsStyle(fabrics.length) + PRINT_STYLE]] as const)),
];
