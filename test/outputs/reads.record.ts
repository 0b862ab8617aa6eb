import { commands, reads, record } from './record.js';

record('tiny', commands.filter(reads), { name: 'reads', port: 20710 });
