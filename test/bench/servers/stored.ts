/**
 * Fastify with a handler that answers stored bytes and does nothing else:
 * `stored.mjs <file for GET> <file for PATCH>`.
 */
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

const [getFile = '', patchFile = ''] = process.argv.slice(2);
const list = readFileSync(getFile);
const item = readFileSync(patchFile);

const app = fastify();
app.get('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(list));
app.patch('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(item));
process.on('disconnect', () => process.exit()); // Whoever started it has died.
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
