import { all } from '../some-of.js';
import { holdGates } from './gate-commands.js';

/** Every command under every kind of policy. */

await holdGates(all);
