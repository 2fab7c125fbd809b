/**
 * How many random cases a test tries: a tenth in `npm test`, all of them in `npm run test:long`, which runs the files that
 * `RANDOM` names a second time. Cases are the same on every run, and those of the quick suite are the first of the long one.
 */
export const cases = (all: number): number => (ALL ? all : Math.max(5, Math.ceil(all / 10)));

/** Of how many cases a property has to say something, given that number for all cases. Few cases vary more than many. */
export const few = (ofAll: number): number => (ALL ? ofAll : Math.floor(ofAll / 20));

/** Are these the long tests? */
export const ALL = process.env['REMORA_CASES'] === 'all';
