import { firstOfEach } from '../../some-of.js';
import { holdVerdicts } from './verdicts.js';

await holdVerdicts(firstOfEach);
