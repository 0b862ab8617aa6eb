import { firstOfEach } from '../some-of.js';
import { holdGates } from './gate-commands.js';

await holdGates(firstOfEach);
