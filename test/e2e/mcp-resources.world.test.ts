import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { serveHere } from './mcp-here.js';
import { memberHome } from './member-home.js';

/** Resources over a connection: what answers link to can be read, and nothing else of this machine. */

const { home } = await memberHome(3);
let client: Client;
beforeAll(async () => {
  client = new Client({ name: 'inspector', version: '1.0' });
  await client.connect(serveHere(['--allow-writes'], home).transport);
});
beforeEach(() => writeFileSync(join(home.path, 'secret'), 'the key'));
afterAll(() => client.close());

interface Told {
  whole?: string;
  job?: string;
  cut?: boolean;
}
interface Link {
  type: string;
  uri?: string;
}
async function call(name: string, given: Record<string, unknown>): Promise<{ told: Told; links: string[] }> {
  const { structuredContent, content } = await client.callTool({ name, arguments: given });
  const links = (content as Link[]).flatMap(({ type, uri }) =>
    type === 'resource_link' && uri !== undefined ? [uri] : [],
  );
  return { told: structuredContent as Told, links };
}

async function read(uri: string): Promise<{ text: string; untrusted: unknown }> {
  const [found] = (await client.readResource({ uri })).contents;
  if (found === undefined || !('text' in found)) throw new Error('no text');
  return { text: String(found.text), untrusted: found._meta?.['docs/untrusted'] };
}

it('an answer that was cut is read back whole', async () => {
  const { told, links } = await call('docs_read', { argv: ['commands', '--full'], limit: 1000 });
  expect(told.cut).toBe(true);
  expect(links).toEqual([told.whole]);
  const { text, untrusted } = await read(String(told.whole));
  expect((JSON.parse(text) as { result: unknown[] }).result.length).toBeGreaterThan(100);
  // Whatever it is, it may hold texts of the platform.
  expect(untrusted).toEqual(['text']);
});

it('a job is linked, listed and read', async () => {
  const { told, links } = await call('docs_change', { argv: ['members', 'update', 'u1', '--role', 'read'] });
  const uri = `docs://jobs/${told.job}`;
  expect(links).toEqual([uri]);
  const { resources } = await client.listResources();
  expect(resources.map((one) => one.uri)).toContain(uri);
  const { text, untrusted } = await read(uri);
  expect(text).toContain('u1');
  expect(untrusted).toEqual(['text']);
});

it('every help topic and reference page that is listed is read, and is text of ours', async () => {
  const { resources } = await client.listResources();
  const own = resources.filter(({ uri }) => /^docs:\/\/(help|reference)\//.test(uri));
  expect(own.length).toBeGreaterThan(20);
  for (const { uri } of own) {
    const { text, untrusted } = await read(uri);
    expect({ uri, isLong: text.length > 100, untrusted }).toEqual({
      uri,
      isLong: true,
      untrusted: undefined,
    });
  }
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'docs://help/{topic}',
    'docs://reference/{group}',
    'docs://jobs/{job}',
    'docs://results/{id}',
  ]);
});

it.each([
  'docs://help/nope',
  'docs://help/constructor',
  'docs://help/__proto__',
  'docs://help/',
  'docs://help/plans/',
  'docs://help/plans?x=1',
  'docs://help/../jobs/last',
  'docs://help/%70lans',
  'docs://reference/nope',
  'docs://reference/__proto__',
  'docs://reference/../../secret',
  'docs://reference/__complete',
  'docs://results/constructor',
  'docs://results/00000000-0000-0000-0000-000000000000',
  'docs://jobs/nope',
  'docs://jobs/--help',
  'docs://jobs/-h',
  'docs://jobs/..%2F..%2Fsecret',
  'docs://jobs/../../../../secret',
  'docs://jobs/last\n',
  'docs://secret/x',
  'file:///etc/passwd',
  'secret',
  '',
])('%j is not found', async (uri) => {
  await expect(client.readResource({ uri })).rejects.toThrow(/^Resource not found/);
});
