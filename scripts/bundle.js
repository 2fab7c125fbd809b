// The last step of the build.
import { bundle } from './bundler.js';

await bundle('dist');
