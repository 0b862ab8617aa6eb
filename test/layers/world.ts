import { ChildProcess } from 'node:child_process';
import { refuse } from './refuse.js';

refuse(ChildProcess.prototype, 'spawn', 'starts a process');
