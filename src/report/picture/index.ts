/**
 * Pictures of executions and runs as text: DOT and SVG. PNG is not here, because it needs fonts and WebAssembly
 * (`png.ts`).
 */
export { drawDot } from './dot.js';
export type { Picture, PictureOptions } from './picture.js';
export { pictureOf } from './picture.js';
export type { SvgOptions } from './svg.js';
export { drawSvg, svgOf } from './svg.js';
export { drawRunDot } from './run-dot.js';
export type { DrawnRun } from './run-place.js';
export { drawnRun } from './run-place.js';
export { runPictureOf } from './run-picture.js';
export { timelinePictureOf } from './timeline-place.js';
export { drawTimelineSvg, timelineSvgOf } from './timeline-svg.js';
export { drawRunSvg, runSvgOf } from './run-svg.js';
