import { all } from '../some-of.js';
import { holdNoLeaks } from './no-leaks.js';

/** Every command, in every format. */

await holdNoLeaks(all);
