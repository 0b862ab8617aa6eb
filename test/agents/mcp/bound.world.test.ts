import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/main.js';
import { sleepHere } from '../../e2e/here.js';
import { fakeIo } from '../../fake-io.js';
import { openGateWorld } from '../../policy/gate-world.js';
import { seedId } from '../../sandbox/client.js';

/** What a server decided at its start holds for its calls, whatever is in the folder that they work in. */

const world = await openGateWorld();
const welcome = seedId('space welcome');
const open = 'version: 1\ndefault: allow\n';
const closed = 'version: 1\nallow: [read]\n';
mkdirSync(join(world.home, 'handbook'));
afterAll(() => world.close());
beforeEach(() => {
  world.write('.config/docs/config.json', '{"version":1}');
  world.write('handbook/.docs.json', '{}');
});

/** What every message of the protocol without a handshake carries. */
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Serves one change, and ends once it is answered. @param during done when the server has started */
async function change(flags: readonly string[], env: Record<string, string> = {}, during = () => {}) {
  const own = world.seen.length;
  const given = { argv: ['spaces', 'update', welcome, '--title', `Hello ${own}`] };
  const params = { name: 'docs_change', arguments: given, _meta };
  const outside = fakeIo({ cwd: world.home, env: { ...world.env, ...env } });
  const answered = once(outside.stdout, 'answered');
  outside.stdout._write = (chunk, _, done) => {
    outside.stdout.emit('answered', chunk.toString());
    done();
  };
  async function* lines() {
    during();
    yield `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`;
    await answered;
  }
  const io = { ...outside, stdin: Readable.from(lines()), sleep: sleepHere, systemPolicies: [] };
  expect(await run(['mcp', 'serve', ...flags], io)).toBe(0);
  const [line] = (await answered) as [string];
  const { result } = JSON.parse(line) as { result: { structuredContent: { error?: { code: string } } } };
  const writes = world.seen.slice(own).filter((one) => !one.startsWith('GET '));
  return { code: result.structuredContent.error?.code ?? 'ok', writes: writes.length };
}
const denied = { code: 'policy_denied', writes: 0 };

describe('a policy of a server', () => {
  it.each([
    ['--policy', ['--policy', 'agent.yaml'], {}],
    ['DOCS_POLICY', [], { DOCS_POLICY: 'agent.yaml' }],
  ])('by a relative path in %s is not one of that name in --files', async (_, flags, env) => {
    world.write('agent.yaml', closed);
    world.write('handbook/agent.yaml', open);
    expect(await change(['--files', 'handbook', ...flags], env)).toEqual(denied);
  });

  it('allows what it allowed, from another folder', async () => {
    world.write('agent.yaml', open);
    world.write('handbook/agent.yaml', closed);
    const found = await change(['--files', 'handbook', '--policy', 'agent.yaml']);
    expect(found).toEqual({ code: 'ok', writes: 1 });
  });

  it('cannot be loosened while the server runs, and can be tightened', async () => {
    const path = world.write('agent.yaml', closed);
    expect(await change(['--policy', path], {}, () => writeFileSync(path, open))).toEqual(denied);
    expect(await change(['--policy', path], {}, () => writeFileSync(path, closed))).toEqual(denied);
  });
});

describe('the profile of a server', () => {
  const profiles = (path: string) =>
    JSON.stringify({ version: 1, profile: 'p', profiles: { p: { policy: path }, q: {} } });

  it.each([
    ['with --files', ['--files', 'handbook']],
    ['without', []],
  ])('is not what a project chooses in the folder of a call: %s', async (_, flags) => {
    world.write('.config/docs/config.json', profiles(world.write('strict.yaml', closed)));
    world.write('handbook/.docs.json', '{"profile":"q"}');
    expect(await change([...flags, '--allow-writes'])).toEqual(denied);
  });
});
