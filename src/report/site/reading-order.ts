import type { Test } from '../../program/program.js';
import { folderOf } from '../record.js';

/**
 * Tests in the order in which readers should meet them: in each folder, tests with the question of an engineer come
 * first, and folders with the largest share of such tests come first, too. Otherwise the order stays the same.
 */
export function inReadingOrder<T extends { readonly test: Pick<Test, 'file' | 'question'> }>(
  items: readonly T[],
): readonly T[] {
  const folders = new Map<string, T[]>();
  for (const item of items) {
    const folder = folderOf(item.test.file);
    const others = folders.get(folder);
    if (others === undefined) folders.set(folder, [item]);
    else others.push(item);
  }
  const share = (some: readonly T[]): number => some.filter(asks).length / some.length;
  return [...folders.values()]
    .sort((a, b) => share(b) - share(a))
    .flatMap((some) => [...some.filter(asks), ...some.filter((item) => !asks(item))]);
}

const asks = ({ test }: { readonly test: Pick<Test, 'question'> }): boolean =>
  test.question !== undefined;
