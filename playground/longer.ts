/** What is loaded once something longer than the verdict is asked. */
export { besides } from './beside.js';
export { anotherOf, changedOf, readsOf } from './executions.js';
export { fixed } from './fixed.js';
