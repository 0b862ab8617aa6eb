import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { all } from '../../some-of.js';
import { callExamples, mcpOfFile } from './mcp-world.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use once nothing waits to be freed. */
async function heap(): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await new Promise((done) => setImmediate(done));
  }
  return process.memoryUsage().heapUsed;
}

/** A server that is asked much. */

const mcp = await mcpOfFile();

it('the memory of a server does not grow over 1,000 calls', async () => {
  // The longest answer every fifth time: it takes as long as the others of four turns.
  const turn = async (at: number) => {
    await mcp.call('docs_read', { argv: ['teams', 'list'], limit: 2 });
    const words = at % 5 === 0 ? ['commands', '--full'] : ['members', 'list'];
    await mcp.call('docs_read', { argv: words, limit: 1000 });
    await mcp.call('docs_describe', { command: 'members update' });
    await mcp.call('docs_job', {});
  };
  // What is loaded and kept once, the whole answers among it.
  for (let at = 0; at < 50; at += 1) await turn(at);
  const before = await heap();
  for (let at = 0; at < 250; at += 1) await turn(at);
  const grown = (await heap()) - before;
  expect(grown).toBeLessThan(8 * 1024 * 1024);
}, 600_000);

it('sends GET alone by docs_read and docs_plan, whatever the examples of every command say', async () => {
  await mcp.begin({ allowWrites: true });
  await callExamples(mcp, Number.POSITIVE_INFINITY, all);
  expect(mcp.writes()).toEqual([]);
}, 600_000);
