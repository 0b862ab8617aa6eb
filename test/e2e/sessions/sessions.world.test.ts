import { firstDay } from './first-day.js';
import { holdSessions } from './hold.js';
import { terminal } from './terminal.js';

holdSessions([
  ['first-day', firstDay, 80],
  ['terminal', terminal, 60],
  ['terminal', terminal, 80],
  ['terminal', terminal, 200],
]);
