import { commands, reads, record } from './record.js';

record(
  'tiny',
  commands.filter((entry) => !reads(entry)),
  { name: 'changes', port: 20720 },
);
