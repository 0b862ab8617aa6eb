import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { seedId } from '../client.js';
import { openPlatform, type Platform } from '../in-process.js';
import * as ops from '../operations.js';

/** Values that have the right type and length, and still cannot be what the field names. */

let sandbox: Platform;
const path: Record<string, string> = {};
beforeAll(async () => {
  sandbox = await openPlatform();
  const { org, space = '', site = '' } = sandbox.defaults;
  Object.assign(path, { organizationId: org, spaceId: space, siteId: site });
  const ofSite = { path: { organizationId: org, siteId: site } };
  const [section] = (await sandbox.admin.ok(ops.listSections, ofSite)).items;
  const [siteSpace] = (await sandbox.admin.ok(ops.listSiteSpaces, ofSite)).items;
  Object.assign(path, { siteSectionId: section?.id, siteSpaceId: siteSpace?.id });
  const comment = { path: { spaceId: space }, body: { body: { markdown: 'Hello' } } };
  path.commentId = (await sandbox.admin.ok(ops.createComment, comment)).id;
});
afterAll(() => sandbox.close());

const commentPath = () => ({ spaceId: path.spaceId ?? '', commentId: path.commentId ?? '' });

const hostname =
  'must consist of lowercase letters, digits and hyphens, and begin and end with a letter or digit';
const basename = 'must consist of words of lowercase letters and digits, joined by hyphens';
const onSite =
  'must consist of letters, digits, hyphens, underscores, dots and tildes, in segments joined by slashes';
const domain = 'must be a domain, such as example.com';
const web = 'must be an https or http URL without credentials';

const wrong: [op: AnyOperation, field: string, value: unknown, message: string][] = [
  [ops.updateOrg, 'hostname', 'Acme', `hostname ${hostname}, not "Acme"`],
  [ops.updateOrg, 'hostname', 'acme-', `hostname ${hostname}, not "acme-"`],
  [ops.updateOrg, 'hostname', 'acme.docs', `hostname ${hostname}, not "acme.docs"`],
  [
    ops.updateOrg,
    'emailDomains',
    ['acme.example', 'ada@acme.example'],
    `emailDomains.1 ${domain}, not "ada@acme.example"`,
  ],
  [ops.updateOrg, 'emailDomains', ['localhost'], `emailDomains.0 ${domain}, not "localhost"`],
  [ops.updateOrg, 'emailDomains', ['a..example'], `emailDomains.0 ${domain}, not "a..example"`],
  [ops.updateOrg, 'emailDomains', ['10.0.0.1'], `emailDomains.0 ${domain}, not "10.0.0.1"`],
  [
    ops.updateOrg,
    'emailDomains',
    ['x.example', 'X.example'],
    'emailDomains.1 must be named only once, not "X.example"',
  ],
  [ops.updateOrg, 'logo', 'javascript:alert(1)', `logo ${web}, not "javascript:alert(1)"`],
  [ops.updateSite, 'basename', 'My Docs', `basename ${basename}, not "My Docs"`],
  [ops.updateSite, 'basename', 'a/b', `basename ${basename}, not "a/b"`],
  [ops.updateSite, 'basename', '-a', `basename ${basename}, not "-a"`],
  [ops.updateSection, 'path', '/guides', `path ${onSite}, not "/guides"`],
  [ops.updateSection, 'path', 'a//b', `path ${onSite}, not "a//b"`],
  [ops.updateSection, 'path', '../admin', `path ${onSite}, not "../admin"`],
  [ops.updateSiteSpace, 'path', 'start here', `path ${onSite}, not "start here"`],
  [ops.updateSiteSpace, 'path', 'a?b', `path ${onSite}, not "a?b"`],
  [
    ops.createSamlProvider,
    'ssoURL',
    'http://id.example/sso',
    'ssoURL must be an https URL without credentials, not "http://id.example/sso"',
  ],
  [ops.updateSpace, 'emoji', 'ok', 'emoji must be one emoji, not "ok"'],
  [ops.updateSpace, 'emoji', '🎉🎉', 'emoji must be one emoji, not "🎉🎉"'],
  [ops.updateSpace, 'emoji', '7', 'emoji must be one emoji, not "7"'],
  [ops.updateSpace, 'emoji', '41', 'emoji must be one emoji, not "41"'],
  [ops.updateSpace, 'emoji', '1f389-1f389', 'emoji must be one emoji, not "1f389-1f389"'],
  [ops.updateSpace, 'emoji', 'd83d', 'emoji must be one emoji, not "d83d"'],
  [ops.updateSpace, 'icon', 'file:///etc/passwd', `icon ${web}, not "file:///etc/passwd"`],
  [ops.updateComment, 'addedReactions', ['👍', ':+1:'], 'addedReactions.1 must be one emoji, not ":+1:"'],
];

test.each(wrong)('%# refuses a value that is wrong in itself', async (op, field, value, message) => {
  const label = op === ops.createSamlProvider ? { label: 'Okta' } : {};
  const refused = await sandbox.admin.refused(op, { path, body: { ...label, [field]: value } });
  expect(refused).toEqual({ status: 400, message: `body ${message}` });
});

test('changes nothing when it refuses one of several', async () => {
  const { org: organizationId } = sandbox.defaults;
  const before = await sandbox.admin.ok(ops.getOrg, { path: { organizationId } });
  await sandbox.admin.refused(ops.updateOrg, { path, body: { title: 'Other', hostname: 'UPPER' } });
  expect(await sandbox.admin.ok(ops.getOrg, { path: { organizationId } })).toEqual(before);
});

const emojis = [
  ...['👋', '❤️', '❤', '👩‍💻', '🏳️‍🌈', '🇪🇺', '1️⃣', '👍🏽'],
  ...['1f600', '1F44D', '1f468-200d-1f4bb', '0032-fe0f-20e3'],
];
const conditions = [
  ...['visitor.claims.beta', '"api" in visitor.claims.products', 'true'],
  '!visitor.claims.beta && (visitor.claims.plan == "pro" || visitor.claims.seats >= 10)',
  'visitor.claims.unsigned.lang === \'de\' ? visitor.claims["a b"] : null',
  'visitor.claims.products.includes("api")',
  '["de", "fr"].includes(visitor.claims?.lang)',
];
const taken: [op: AnyOperation, field: string, values: unknown[]][] = [
  [ops.updateOrg, 'hostname', ['a-1', '3com', 'acme-docs']],
  [
    ops.updateOrg,
    'emailDomains',
    [['acme.example', 'mail.Acme.Example', 'bücher.example', 'xn--bcher-kva.test']],
  ],
  [ops.updateSpace, 'emoji', [...emojis, '']],
  [ops.updateSiteSpace, 'path', ['start', 'start/here', 'API_v2.1~beta']],
  [ops.updateSite, 'basename', ['product-docs-2']],
  [ops.createSamlProvider, 'ssoURL', ['https://id.example/sso?x=1']],
  [ops.updateSection, 'condition', conditions],
  [ops.updateSiteSpace, 'condition', conditions],
];

test.each(taken.map(([op, field, values]) => ({ name: `${op.id} ${field}`, op, field, values })))(
  '$name takes what is right, and shows it as it was set',
  async ({ op, field, values }) => {
    for (const value of values) {
      const body = { ...(op === ops.createSamlProvider && { label: 'Okta' }), [field]: value };
      expect(await sandbox.admin.ok(op, { path, body })).toMatchObject({ [field]: value });
    }
  },
);

describe('a reaction', () => {
  const react = async (body: { addedReactions?: string[]; removedReactions?: string[] }) =>
    (await sandbox.admin.ok(ops.updateComment, { path: commentPath(), body })).reactions;

  test('is any emoji, as it was set', async () => {
    for (const emoji of emojis)
      expect((await react({ addedReactions: [emoji] })).map((one) => one.emoji)).toContain(emoji);
  });

  test('in either form is one and the same', async () => {
    const balloons = async (body: Parameters<typeof react>[0]) =>
      (await react(body)).filter(({ emoji }) => ['🎈', '1f388'].includes(emoji));
    expect(await balloons({ addedReactions: ['1f388'] })).toMatchObject([{ emoji: '1f388', count: 1 }]);
    expect(await balloons({ addedReactions: ['🎈'] })).toMatchObject([{ emoji: '1f388', count: 1 }]);
    expect(await balloons({ removedReactions: ['🎈'] })).toEqual([]);
  });
});

test.each<[op: AnyOperation, body: object]>([
  [ops.createSection, { spaceId: 'nothing' }],
  [ops.createSiteSpace, { spaceId: 'nothing' }],
  [ops.createSiteSpace, { spaceId: seedId('space board'), sectionId: 'nothing' }],
  [ops.updateSite, { title: 'Docs', defaultSiteSection: 'nothing' }],
  [ops.updateSite, { defaultSiteSpace: 'nothing' }],
  [ops.createSite, { spaces: ['nothing'] }],
  [ops.updateOrg, { defaultContent: { type: 'site', site: 'nothing' } }],
  [ops.createSamlProvider, { label: 'x', defaultTeam: 'nothing' }],
  [ops.createCollection, { parent: 'nothing' }],
  [ops.createComment, { body: {}, page: 'nothing' }],
])('%# is 404: a body that names what is not there', async (op, body) => {
  expect(await sandbox.admin.refused(op, { path, body })).toMatchObject({
    ...{ status: 404, message: expect.stringContaining('"nothing" not found') },
  });
});

describe('a condition', () => {
  const update = (condition: string | null) => ({ path, body: { condition } });
  const reason = async (condition: string) => {
    const { status, message } = await sandbox.admin.refused(ops.updateSection, update(condition));
    expect(await sandbox.admin.refused(ops.updateSiteSpace, update(condition))).toEqual({ status, message });
    expect(status).toBe(400);
    return message.replace('body condition is not a valid expression: ', '');
  };

  test.each([
    ['visitor.claims.', 'Unexpected end of the expression at character 16'],
    ['visitor.claims.a &&', 'Unexpected end of the expression at character 20'],
    ['(visitor.claims.a', 'Unexpected end of the expression at character 18'],
    ['visitor.claims.a visitor.claims.b', 'it must be a single expression'],
    ['visitor.claims.a; true', 'it must be a single expression'],
    ['   ', 'it must be a single expression'],
    ['beta', 'unknown name "beta"; claims are visitor.claims.<name>'],
    ['visitor', 'unknown name "visitor"; claims are visitor.claims.<name>'],
    ['visitor.email == "x"', 'unknown name "visitor"; claims are visitor.claims.<name>'],
    ['process.exit(1)', 'unknown name "process"; claims are visitor.claims.<name>'],
    ['alert(1)', 'only methods can be called'],
    ['this', 'it must be a single expression'],
    ['visitor.claims.a = 1', 'Unexpected "=" at character 18'],
  ])('cannot be %s', async (condition, why) => {
    expect(await reason(condition)).toBe(why);
  });
});
