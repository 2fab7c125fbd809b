/** Where model files are looked for. */

/** How paths are put together and taken apart, as `node:path` does it. */
export interface Paths {
  readonly basename: (path: string) => string;
  readonly dirname: (path: string) => string;
  readonly join: (...parts: string[]) => string;
  readonly normalize: (path: string) => string;
}

/** What files there are, and in which folders to look. */
export interface Places {
  readonly paths: Paths;
  readonly exists: (path: string) => boolean;
  /** The folder of the models that come with Remora; includes are looked for there last. */
  readonly folder: string;
  /** Folders of the user: models and includes are looked for there, in this order, before Remora's. */
  readonly folders?: readonly string[];
}

/** Among the models: the folder of libraries. */
export const LIBRARIES = 'lib';
/** In it, the folder of implementations. */
export const IMPLEMENTATIONS = 'impl';
/** Among the models: the folder of those of other hardware and settings. */
export const FABRICS = 'fabrics';
/** Among the models: the folder of files that models for herd7 include. */
const HERD = 'herd';

/** The file of a model that comes with Remora, by its name; a file that is not there if there is no such model. */
export function shippedFile(name: string, { paths: { join }, folder, exists }: Places): string {
  const inFabrics = join(folder, FABRICS, `${name}.cat`);
  return exists(inFabrics) ? inFabrics : join(folder, `${name}.cat`);
}

/** The files to be included that come with Remora. */
const ownFolders = ({ paths: { join }, folder }: Places): readonly string[] =>
  ['.', FABRICS, LIBRARIES, HERD].map((one) => join(folder, one));

/** A path that begins at no certain folder, so that it is looked for in several. */
export const isOpen = (path: string): boolean => !/^(?:[/\\]|\.\.?[/\\]|[A-Za-z]:)/.test(path);

/** A file in the first of the user's folders that has it. */
export function inFolders(file: string, places: Places): string | undefined {
  const { paths, exists, folders = [] } = places;
  if (!isOpen(file)) return undefined;
  return folders.map((one) => paths.join(one, file)).find((candidate) => exists(candidate));
}

/** The file that a path of a command means: as it is, or else in one of the user's folders. */
export const namedFile = (path: string, places: Places): string =>
  places.exists(path) ? path : (inFolders(path, places) ?? path);

/** Does a file come with Remora? */
function isOwn(file: string, { paths: { dirname, normalize }, folder }: Places): boolean {
  const own = normalize(folder);
  for (let at = normalize(file); dirname(at) !== at; at = dirname(at)) if (at === own) return true;
  return false;
}

/**
 * The file that an `include` means: beside the file that includes it, or beside the model, or in one of the user's folders, or else among
 * Remora's models and libraries. A model of Remora means its own files, whatever folders the user has.
 *
 * @param ours whether it is always that of Remora
 * @param from the file that includes it, and the model
 */
export function includedFile(
  text: string,
  ours: boolean,
  from: readonly [file: string, model: string],
  places: Places,
): string | undefined {
  const { paths, exists } = places;
  const firstIn = (folders: readonly string[]): string | undefined =>
    folders.map((one) => paths.join(one, text)).find((candidate) => exists(candidate));
  const theirs = (): string | undefined =>
    firstIn(from.map(paths.dirname)) ??
    (isOwn(from[1], places) ? undefined : inFolders(text, places));
  return (ours ? undefined : theirs()) ?? firstIn(ownFolders(places));
}

/** What the programs of a model for herd7 may be annotated with: `NAME.bell` for `NAME.cat`, beside it or in one of the user's folders. */
export function bellFile(model: string, places: Places): string | undefined {
  const bell = model.replace(/\.cat$/, '.bell');
  return places.exists(bell) ? bell : inFolders(places.paths.basename(bell), places);
}
