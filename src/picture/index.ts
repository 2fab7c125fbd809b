/** Pictures of executions. */
export type { PictureOptions } from './dot.js';
export { drawDot } from './dot.js';
export { drawPng } from './png.js';
export { drawSvg } from './svg.js';
