import child, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { refuse } from './refuse.js';

const starts = 'starts a process';
refuse(ChildProcess.prototype, 'spawn', starts);
// Node itself makes no pipe that has a name.
refuse(child, 'execFileSync', starts, { but: ([program]) => program === 'mkfifo' });
for (const method of ['execSync', 'spawnSync']) refuse(child, method, starts);
syncBuiltinESMExports();
