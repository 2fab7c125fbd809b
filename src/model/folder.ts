import { fileURLToPath } from 'node:url';

/** The models that come with Remora, and where includes are looked for last. */
export const MODELS_FOLDER = fileURLToPath(new URL('../../models', import.meta.url));
