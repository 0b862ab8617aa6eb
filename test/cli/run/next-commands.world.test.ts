import { firstOfEach } from '../../some-of.js';
import { holdNextCommands } from './next-commands.js';

await holdNextCommands(firstOfEach, 2);
