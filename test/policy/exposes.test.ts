import { describe, expect, it } from 'vitest';
import type { Exposure, Widening } from '../../src/api/exposes.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';
import type { TSchema } from '../../src/api/type.js';
import { exposable, widenedBy } from '../../src/jobs/exposure.js';
import { effectOf } from '../../src/policy/effects.js';

/**
 * What each change may widen was decided once for each operation and each field that sounds like it. What is added
 * tomorrow is in neither list, so this fails.
 */

const writing = operations.filter((op) => effectOf({ op }) !== 'read');

/** Operations that widen nothing, whatever they send, by the reason. */
const widensNothing: Readonly<Record<string, readonly string[]>> = {
  'takes away, and leaves the rest as it is': [
    ...['members.delete', 'invites.delete', 'teams.delete', 'team-members.delete', 'saml.delete'],
    ...['spaces.delete', 'sites.delete', 'sections.delete', 'site-spaces.delete', 'section-groups.delete'],
    ...['translations.delete', 'custom-fields.delete', 'openapi.delete'],
    ...['comments.delete', 'change-request-comments.delete'],
  ],
  'the member is in already, with the same role; which provider is trusted is decided by saml': [
    'members.link-sso',
  ],
  'names and describes': [
    ...['teams.update', 'translations.create', 'translations.update'],
    ...['custom-fields.create', 'custom-fields.update', 'space-fields.set'],
  ],
  'a collection begins empty': ['collections.create'],
  'the platform makes an unpublished copy with the level of the original': ['spaces.duplicate'],
  'what is written changes, and not who reads it; danger and undo tell of a merge': [
    ...['openapi.create', 'openapi.set', 'content.import', 'change-request-content.import'],
    ...['change-requests.create', 'change-requests.update', 'change-requests.merge', 'change-requests.pull'],
    ...['comments.create', 'comments.update', 'comment-replies.create', 'comment-replies.update'],
    ...['change-request-comments.create', 'change-request-comments.update'],
    'change-request-comment-replies.create',
  ],
  'the same sections in another order, or under another heading': [
    ...['sections.move', 'site-spaces.move', 'section-groups.move', 'section-groups.create'],
    ...['section-groups.update', 'section-groups.add', 'section-groups.remove'],
  ],
};

/** A field that sounds as if it decided who sees, joins or controls something. */
const suspicious = new RegExp(
  [
    'role|level|visib|condition|audience|sign|sso|saml|domain|host|member|user|team|public|share|invite|join',
    'access|organization|collection|parent|provider|certificate|entity|visitor|claim|permission|guest|admin|owner',
  ].join('|'),
  'i',
);

/** Such fields of operations that widen something by others, with the reason. */
const harmless: Readonly<Record<string, string>> = {
  'orgs.update hostname': 'the address changes, and not who may read what is there',
  'orgs.update defaultContent': 'what members see first, of what they can see',
  'team-members.update remove': 'takes away',
  'saml.create label': 'a name',
  'saml.update label': 'a name',
  'sites.update proxy': 'the address changes, and not who may read what is there',
};

const fieldsOf = ({ body }: AnyOperation): [string, TSchema][] => Object.entries(body?.properties ?? {});
const declared = ({ exposes = [] }: AnyOperation): [string, Widening][] =>
  Array.isArray(exposes) ? [] : (Object.entries(exposes) as [string, Widening][]);
const exposing = writing.filter(({ exposes }) => exposes !== undefined);

describe('what a change exposes is decided', () => {
  it('for every operation that changes something, and for none twice', () => {
    const none = Object.values(widensNothing).flat();
    const all = [...exposing.map(({ id }) => id), ...none];
    expect(all.sort()).toEqual(writing.map(({ id }) => id).sort());
  });

  it('for every field that sounds like it', () => {
    const isWhole = ({ exposes }: AnyOperation) => Array.isArray(exposes);
    const found = exposing
      .filter((op) => !isWhole(op))
      .flatMap((op) =>
        fieldsOf(op)
          .filter(([name, schema]) => suspicious.test(`${name} ${JSON.stringify(schema)}`))
          .map(([name]) => `${op.id} ${name}`),
      );
    const known = exposing.flatMap((op) => declared(op).map(([name]) => `${op.id} ${name}`));
    expect(found.filter((one) => !known.includes(one)).sort()).toEqual(Object.keys(harmless).sort());
  });

  it('and a read declares nothing', () => {
    expect(operations.filter((op) => op.exposes && !writing.includes(op))).toEqual([]);
  });
});

describe('at most, it exposes', () => {
  const of = (id: string, body?: unknown): Exposure[] => {
    const op = operations.find((one) => one.id === id);
    if (op === undefined) throw new Error(`no operation ${id}`);
    const found = widenedBy({ op, input: { path: {}, body } });
    // What a command may expose at all covers it.
    expect(exposable([op])).toEqual(expect.arrayContaining(found));
    return found;
  };

  it.each<[string, unknown, Exposure[]]>([
    // The widest that a platform may take where nothing is said.
    ['sites.create', { title: 'New' }, ['public']],
    ['sites.create', undefined, ['public']],
    ['sites.create', { visibility: 'visitor-auth' }, []],
    ['sites.create', { visibility: 'visitor-auth', spaces: ['s1'] }, ['public']],
    ['sites.create', { visibility: 'visitor-auth', spaces: 'empty' }, []],
    ['sites.update', { title: 'New' }, []],
    ['sites.update', { visibility: 'share-link' }, ['public']],
    // A value that nobody knows yet.
    ['sites.update', { visibility: 'everyone' }, ['public']],
    ['sites.update', { adaptiveContent: { enabled: false } }, ['public']],
    ['sites.update', { adaptiveContent: { enabled: true } }, []],
    ['adaptive-schemas.set', { jsonSchema: { type: 'object' } }, ['public']],
    ['sections.update', { condition: 'true' }, ['public']],
    ['sections.update', { condition: null }, ['public']],
    ['sections.update', { title: 'New' }, []],
    ['site-spaces.update', { condition: 'visitor.claims.staff' }, ['public']],
    ['saml.create', { label: 'Okta' }, []],
    ['saml.create', { label: 'Okta', ssoURL: 'https://idp.example' }, ['sign-up']],
    ['saml.update', { certificate: 'x' }, ['sign-up']],
    ['saml.update', { entityID: 'x', defaultTeam: 't1' }, ['sign-up', 'role']],
    ['spaces.update', { defaultLevel: 'inherit' }, ['role']],
    ['spaces.update', { defaultLevel: null }, []],
    ['spaces.move', { parent: 'c1' }, ['role']],
    ['spaces.move', { parent: null }, ['role']],
    // A neighbour in another collection takes it there.
    ['spaces.move', { position: { before: { type: 'space', space: 's2' } } }, ['role']],
    ['spaces.move', {}, []],
    ['collections.move', { parent: 'c1' }, ['role']],
    ['collections.delete', undefined, ['role']],
    ['spaces.transfer', { organization: 'o2' }, ['role']],
    ['collections.transfer', { organization: 'o2' }, ['role']],
    ['spaces.restore', undefined, ['role', 'public']],
    ['team-members.set', undefined, ['role']],
    ['team-members.set', {}, ['role']],
    ['orgs.update', { sso: false }, ['sign-up']],
    ['orgs.update', { sso: true, inviteLinks: false, emailDomains: [] }, []],
  ])('%s %j: %j', (id, body, exposed) => {
    expect(of(id, body)).toEqual(exposed);
  });
});
