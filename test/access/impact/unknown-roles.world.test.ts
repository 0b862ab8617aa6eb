import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Affected, ImpactQuestion } from '../../../src/access/impact/change.js';
import { readImpact } from '../../../src/access/impact/impact.js';
import { type Client, createClient } from '../../../src/api/client.js';
import { createTransport } from '../../../src/api/transport.js';
import { DocsError } from '../../../src/errors.js';
import { fakeIo } from '../../fake-io.js';
import { openSandbox, seedId, type TestSandbox } from '../../sandbox/client.js';

/** A role that could not be read is counted as unknown, never left out. */

let sandbox: TestSandbox;
let client: Client;
beforeAll(async () => {
  sandbox = await openSandbox();
  const credential = { token: sandbox.token, origin: sandbox.url };
  const baseUrl = sandbox.url;
  const transport = createTransport({ baseUrl, credential, io: fakeIo(), userAgent: 'test' });
  client = createClient({
    send: (request) => {
      if (!request.path.includes(`/members/${seedId('user chiara')}/spaces`)) return transport.send(request);
      throw new DocsError('server-error', 'http_500', 'The platform answered 500.');
    },
    download: transport.download.bind(transport),
    close: transport.close.bind(transport),
    platformNowMs: undefined,
  });
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
});

const space: Affected = { object: 'space', id: seedId('space board') };

it.each<[string, ImpactQuestion]>([
  ['a deleted space', { action: 'delete', things: [space] }],
  [
    'a moved space',
    {
      action: 'move',
      things: [{ object: 'space', id: seedId('space handbook') }],
      to: { parent: seedId('collection product') },
    },
  ],
  ['a deleted team', { action: 'delete', things: [{ object: 'team', id: seedId('team writers') }] }],
])('with %s', async (_, question) => {
  const reading = { client, organizationId: sandbox.organizationId, concurrency: 4 };
  const signal = new AbortController().signal;
  const { people, unknown } = await readImpact({ ...reading, signal }, question, { aspects: ['people'] });
  const email = 'chiara@acme.example';
  expect(people.map(({ person }) => person.email)).not.toContain(email);
  const roles = unknown.filter(({ kind }) => kind === 'role');
  expect(roles.length).toBeGreaterThan(0);
  for (const one of roles)
    expect(one).toMatchObject({
      ...{ id: seedId('user chiara'), title: email, space: expect.any(String) },
      error: {
        code: 'role_unknown',
        message: expect.stringMatching(/^Today's role in .* could not be read/),
      },
    });
});
