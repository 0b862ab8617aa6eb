import { commands, reads, record } from './record.js';

/** What a large organization shows, by the commands that read. */
record('acme', commands.filter(reads), { name: 'acme', port: 20730 });
