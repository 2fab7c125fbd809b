/** A check of a JSON value: a file, or Redis, may have anything. */
export type TypeGuard<T> = (value: unknown) => value is T;

export const isString: TypeGuard<string> = (v) => typeof v === 'string';
export const isNumber: TypeGuard<number> = (v) => typeof v === 'number';
export const isCount: TypeGuard<number> = (v): v is number =>
  Number.isSafeInteger(v) && (v as number) >= 0;
export const isBoolean: TypeGuard<boolean> = (v) => typeof v === 'boolean';
export const isLiteralTrue: TypeGuard<true> = (v) => v === true;
export const optional =
  <T>(check: TypeGuard<T>): TypeGuard<T | undefined> =>
  (v): v is T | undefined =>
    v === undefined || check(v);
export const list =
  <T>(check: TypeGuard<T>): TypeGuard<readonly T[]> =>
  (v): v is readonly T[] =>
    Array.isArray(v) && v.every(check);
/** Two counts. */
export const isPair: TypeGuard<readonly [number, number]> = (v): v is readonly [number, number] =>
  Array.isArray(v) && v.length === 2 && v.every(isCount);
export const oneOf =
  <T>(values: readonly T[]): TypeGuard<T> =>
  (v): v is T =>
    values.includes(v as T);
type Fields = { readonly [name: string]: unknown };
export const isObject: TypeGuard<Fields> = (v): v is Fields =>
  typeof v === 'object' && v !== null && !Array.isArray(v);
/** An object with these fields, and perhaps others. */
export const fields =
  <T>(checks: { readonly [K in keyof Required<T>]: TypeGuard<T[K] | undefined> }): TypeGuard<T> =>
  (v): v is T =>
    isObject(v) &&
    Object.entries<TypeGuard<unknown>>(checks).every(([name, check]) => check(v[name]));

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
