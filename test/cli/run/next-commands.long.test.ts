import { all } from '../../some-of.js';
import { holdNextCommands } from './next-commands.js';

/** Every command over an operation. */

await holdNextCommands(all);
