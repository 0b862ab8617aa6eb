import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { listMemberSpaces } from '../../src/api/resources/members.js';
import { opened } from '../opened.js';
import { seedId } from '../sandbox/client.js';
import { openGateWorld } from './gate-world.js';

/** `ask: ["* exposes=any"]` holds whichever way a change is sent, and what it asks about does widen access. */

const world = opened(openGateWorld);
beforeEach(() => world.reset());

const org = seedId('org acme');
const inOrg = { env: { DOCS_ORG: org } };
const [guide, handbook] = ['guide', 'handbook'].map((name) => seedId(`space ${name}`)) as [string, string];
const product = seedId('collection product');
const docs = seedId('site docs');
const beta = seedId('section docs API');
const asks = 'default: allow\nask: ["* exposes=any"]\n';

const of = (path: string) => `/v1/orgs/${org}/${path}`;
const idp = 'https://idp.example/sso';

/** By what it does: the command, and the same as a raw request. */
const exposing: [string, string[], string, string, object][] = [
  [
    'a new site, open unless it says otherwise',
    ['sites', 'create', '--title', 'New'],
    ...(['POST', of('sites'), { title: 'New' }] as const),
  ],
  [
    'a provider that decides who comes in',
    ['saml', 'create', '--label', 'Other', '--sso-url', idp],
    ...(['POST', of('saml'), { label: 'Other', ssoURL: idp }] as const),
  ],
  [
    'a space that goes into a collection',
    ['spaces', 'move', handbook, '--parent', product],
    ...(['POST', `/v1/spaces/${handbook}/move`, { parent: product }] as const),
  ],
  [
    'a space that goes beside one of another collection',
    ['spaces', 'move', handbook, '--before', guide],
    ...([
      'POST',
      `/v1/spaces/${handbook}/move`,
      { position: { before: { type: 'space', space: guide } } },
    ] as const),
  ],
  [
    'a space that goes to another organization',
    ['spaces', 'transfer', handbook, '--to-org', seedId('org labs')],
    ...(['POST', `/v1/spaces/${handbook}/transfer`, { organization: seedId('org labs') }] as const),
  ],
  [
    'a level that is inherited',
    ['spaces', 'update', handbook, '--default-level', 'inherit'],
    ...(['PATCH', `/v1/spaces/${handbook}`, { defaultLevel: 'inherit' }] as const),
  ],
  [
    'another condition',
    ['sections', 'update', beta, '--site', docs, '--condition', 'true'],
    ...(['PATCH', of(`sites/${docs}/sections/${beta}`), { condition: 'true' }] as const),
  ],
];

const asked = {
  code: 5,
  error: { code: 'policy_denied', details: { verdict: 'ask', rule: '* exposes=any' } },
  writes: [],
};

describe.each(exposing)('%s', (_, words, method, path, body) => {
  it('is asked about as a command', async () => {
    expect(await world.run([...words, '--yes'], asks, inOrg)).toMatchObject(asked);
  });

  it('is asked about as a raw request', async () => {
    const file = world.write('body.json', JSON.stringify(body));
    expect(await world.run(['api', method, path, '--input', file, '--yes'], asks, inOrg)).toMatchObject(
      asked,
    );
  });

  it('is asked about in a plan, which may be made', async () => {
    const made = await world.run([...words, '--save-plan', 'plan.json'], asks, inOrg);
    expect({ code: made.code, writes: made.writes }).toEqual({ code: 0, writes: [] });
    const applied = await world.run(['apply', 'plan.json', '--yes'], asks, inOrg);
    expect(applied).toMatchObject({ code: 2, error: { code: 'plan_unapproved' }, writes: [] });
    expect(applied.stderr).toContain('* exposes=any');
  });

  it('is sent where nothing asks', async () => {
    const { code, writes } = await world.run([...words, '--yes'], 'default: allow\n', inOrg);
    expect({ code, writes }).toEqual({ code: 0, writes: [`${method} ${path}`] });
  });
});

it.each([
  ['a site for visitors who sign in', ['sites', 'create', '--title', 'New', '--visibility', 'visitor-auth']],
  ['another label of a provider', ['saml', 'update', seedId('saml staff'), '--label', 'Other']],
  ['another title', ['sections', 'update', beta, '--site', docs, '--title', 'Other']],
])('%s is not asked about', async (_, words) => {
  expect((await world.run([...words, '--yes'], asks, inOrg)).code).toBe(0);
});

it('a neighbour in another collection gives access that its own collection did not', async () => {
  const levels = async () => {
    const path = { organizationId: org, userId: seedId('user bruno') };
    const { items } = await world.sandbox.admin.ok(listMemberSpaces, { path });
    return items.find(({ space }) => space.id === handbook)?.permission;
  };
  const before = await levels();
  await world.run(['spaces', 'move', handbook, '--before', guide, '--yes'], 'default: allow\n', inOrg);
  expect([before, await levels()]).toEqual(['comment', 'create']);
});

/** The policies that docs writes, as their comments say to change them. */
it.each([
  ['--reviewed', (text: string) => text.replace('  - "*"\n', '').replace('default: deny', 'default: allow')],
  [
    '--read-only',
    (text: string) => text.replace('# ask:', 'ask:').replace('default: deny', 'default: allow'),
  ],
] as const)('a policy of docs policy init %s asks about what exposes something', async (flag, edited) => {
  const { stdout } = await world.run(['policy', 'init', flag, 'init.yaml']);
  const { file } = JSON.parse(stdout) as { file: string };
  const DOCS_POLICY = world.write('edited.yaml', edited(readFileSync(file, 'utf8')));
  const env = { env: { ...inOrg.env, DOCS_POLICY } };
  const ran = (words: readonly string[]) => world.run([...words, '--yes'], undefined, env);
  // What is denied, or asks by its danger, asks by no other rule.
  const others = exposing.filter(([, [group, verb]]) => group !== 'saml' && verb !== 'transfer');
  for (const [, words] of others) expect(await ran(words)).toMatchObject(asked);
  expect((await ran(['sections', 'update', beta, '--site', docs, '--title', 'Other'])).code).toBe(0);
});
