import { refuseReads } from './refused-reads.js';

refuseReads((lines) => lines);
