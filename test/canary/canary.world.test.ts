import { firstOfEach } from '../some-of.js';
import { holdNoLeaks } from './no-leaks.js';

await holdNoLeaks(firstOfEach);
