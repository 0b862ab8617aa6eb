import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startChild } from '../../src/base/child-process.js';

it('a child has what the caller adds, and lacks what it takes away', async () => {
  const script =
    'console.log(JSON.stringify([process.env.DOCS_TOKEN, process.env.NODE_OPTIONS, process.env.A]))';
  const io = { env: { DOCS_TOKEN: 'real', NODE_OPTIONS: '--no-warnings', A: '1' }, cwd: '/' };
  const child = startChild(io, process.execPath, ['-e', script], {
    own: { DOCS_TOKEN: 'own' },
    without: ['NODE_OPTIONS'],
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([child.stdout && text(child.stdout), once(child, 'exit')]);
  expect(JSON.parse(printed ?? '')).toEqual(['own', null, '1']);
});
