import { holdFiles } from './gate-files.js';

/** Every flag, with every file. */

await holdFiles((owned) => owned);
