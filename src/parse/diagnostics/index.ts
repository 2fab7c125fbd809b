export * from './diagnostic.js';
export * from './render.js';
export * from './suggest.js';
