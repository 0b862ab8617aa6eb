import { describe, expect, test } from 'vitest';
import {
  type LevelledResource,
  layersOf,
  type Question,
  weigh,
  whyWords,
} from '../../../src/access/layers.js';
import type { Levelled } from '../../../src/access/levels.js';
import type { Layer } from '../../../src/access/person.js';

/** Why a role is what it is: for each case, which layer decides and which are shadowed. */

const collection = (id: string, defaultLevel: string | null, parent?: string): Levelled => ({
  id,
  title: id.toUpperCase(),
  defaultLevel,
  ...(parent !== undefined && { parent }),
});
const inner = collection('inner', 'inherit', 'outer');
const outer = collection('outer', 'comment');
const space = (defaultLevel: string | null, more: Partial<LevelledResource> = {}): LevelledResource => ({
  object: 'space',
  id: 's1',
  title: 'Handbook',
  defaultLevel,
  visibility: 'in-collection',
  parent: 'inner',
  ...more,
});

function asked(question: Partial<Question>) {
  const weighed = weigh({
    organizationRole: 'edit',
    place: space('inherit'),
    collections: new Map([inner, outer].map((one) => [one.id, one])),
    role: 'comment',
    ...question,
  });
  const layers = layersOf(weighed);
  const named = ({ layer, id }: Layer) => (id === undefined ? layer : `${layer} ${id}`);
  return {
    role: weighed.role,
    reason: weighed.reason,
    atLeast: weighed.atLeast,
    why: whyWords(weighed),
    layers: layers.map((layer) => `${named(layer)}: ${layer.role ?? 'none'}`),
    words: layers.map(({ why }) => why),
    decides: layers.filter(({ decides }) => decides).map(named),
    shadowed: layers.filter(({ shadowed }) => shadowed).map(named),
  };
}

describe('a space', () => {
  test.each<[string, Partial<Question>, string[]]>([
    [
      'inherits',
      {},
      [
        'caps default levels',
        'a grant of comment or less would not show',
        'inherits',
        'inherits',
        'default level comment',
        'shadowed by collection OUTER',
      ],
    ],
    [
      'is private',
      { place: space('inherit', { visibility: 'private' }), role: null },
      [
        'caps default levels',
        'nothing is granted',
        'a private space inherits nothing',
        ...['shadowed by space Handbook', 'shadowed by space Handbook', 'shadowed by space Handbook'],
      ],
    ],
    [
      'is granted',
      { role: 'review', teams: [] },
      [
        'caps default levels; shadowed by the grant',
        'to them directly, since they are in no team',
        'inherits; shadowed by the grant',
        'inherits; shadowed by the grant',
        'default level comment; shadowed by the grant',
        'shadowed by collection OUTER',
      ],
    ],
    [
      'is open to admins',
      { organizationRole: 'admin', role: 'admin' },
      [
        ...['admins have admin everywhere', 'cannot give more', 'shadowed by the organization role'],
        'shadowed by the organization role',
        'shadowed by the organization role',
        'shadowed by the organization role',
      ],
    ],
    [
      'gives no more than the organization role',
      { organizationRole: 'read', role: 'read' },
      [
        'caps the default level, which allows more',
        'a grant of read or less would not show',
        'inherits',
        'inherits',
        'default level comment, capped by the organization role',
        'shadowed by collection OUTER',
      ],
    ],
  ])('that %s says so layer by layer', (_, question, words) => {
    expect(asked(question).words).toEqual(words);
  });

  test('inherits the level of the nearest collection that has one', () => {
    expect(asked({})).toMatchObject({
      role: 'comment',
      reason: 'default',
      atLeast: false,
      why: 'Organization role and default levels explain it: the collection OUTER has the default level comment.',
      layers: [
        'organization-role: edit',
        'grant: unknown',
        'space s1: comment',
        'collection inner: comment',
        'collection outer: comment',
        'organization: edit',
      ],
      decides: ['collection outer'],
      shadowed: ['organization'],
    });
  });

  test('with a level of its own shadows the collections', () => {
    expect(asked({ place: space('read'), role: 'read' })).toMatchObject({
      reason: 'default',
      decides: ['space s1'],
      shadowed: ['collection inner', 'collection outer', 'organization'],
    });
  });

  test('gives nobody more than their organization role', () => {
    expect(asked({ organizationRole: 'read', role: 'read' })).toMatchObject({
      decides: ['organization-role'],
      why: 'Organization role and default levels explain it: the organization role is read, and the default level allows it.',
    });
  });

  test('at the top level gives everybody their organization role', () => {
    const { parent: _, ...top } = space('inherit');
    expect(asked({ place: top, role: 'edit' })).toMatchObject({
      reason: 'default',
      layers: ['organization-role: edit', 'grant: unknown', 'space s1: edit', 'organization: edit'],
      decides: ['organization-role'],
    });
  });

  test('is open to admins whatever its level', () => {
    expect(asked({ organizationRole: 'admin', role: 'admin', place: space(null) })).toMatchObject({
      reason: 'admin',
      decides: ['organization-role'],
      shadowed: ['space s1', 'collection inner', 'collection outer', 'organization'],
    });
  });

  test('with more than levels give was granted, to the person or to a team', () => {
    const teams = [
      { id: 't1', title: 'Writers' },
      { id: 't2', title: 'Editors' },
    ];
    expect(asked({ role: 'review', teams })).toMatchObject({
      reason: 'granted',
      decides: ['grant'],
      shadowed: ['organization-role', 'space s1', 'collection inner', 'collection outer', 'organization'],
      why: 'Granted to them or to one of their teams (Writers, Editors); the platform does not show which. Default levels alone give comment.',
    });
    expect(asked({ role: 'review', teams: [] }).why).toContain('to them directly, since they are in no team');
    expect(asked({ role: 'review' }).why).toContain('their teams could not be read');
  });

  test.each([
    ['of nobody', space(null), 'No access: the space Handbook has the default level none.'],
    [
      'that is private',
      space('inherit', { visibility: 'private' }),
      'No access: the space Handbook is private and inherits nothing.',
    ],
  ])('%s gives no role, and there is no grant', (_, place, why) => {
    const answer = asked({ place, role: null });
    expect(answer).toMatchObject({ role: null, reason: 'none', decides: ['space s1'], why });
    expect(answer.layers[1]).toBe('grant: none');
  });

  test('gives guests only what is granted', () => {
    expect(asked({ organizationRole: null, role: null })).toMatchObject({
      reason: 'none',
      decides: ['organization-role'],
      shadowed: [],
      why: 'No access: guests get access from grants alone.',
    });
    expect(asked({ organizationRole: null, role: 'read', teams: [] })).toMatchObject({
      reason: 'granted',
      decides: ['grant'],
      why: 'Granted to them directly, since they are in no team. Default levels alone give nothing.',
    });
  });

  test('with less than levels give is unexplained: nothing decides', () => {
    expect(asked({ role: 'read' })).toMatchObject({ reason: 'unexplained', decides: [] });
    expect(asked({ role: null })).toMatchObject({ reason: 'unexplained', decides: [] });
    expect(asked({ organizationRole: 'admin', role: 'read' })).toMatchObject({ reason: 'unexplained' });
  });

  test('whose role was not read is unknown', () => {
    expect(asked({ role: 'unknown' })).toMatchObject({
      reason: 'unknown',
      decides: [],
      why: 'The role could not be read.',
    });
  });

  test('in a collection that was not read has a role, and no reason that is known', () => {
    const answer = asked({ collections: new Map([[inner.id, inner]]) });
    expect(answer).toMatchObject({ role: 'comment', reason: 'unknown', decides: [] });
    expect(answer.layers.slice(2)).toEqual([
      'space s1: unknown',
      'collection inner: unknown',
      'collection outer: unknown',
    ]);
    expect(answer.why).toBe(
      'The source of the role is unknown: the level of collection outer could not be read.',
    );
  });

  test('with a level that is not known has no reason that is known', () => {
    expect(asked({ place: space('publish') }).why).toBe(
      'The source of the role is unknown: the space has the default level "publish", which is not known.',
    );
  });

  test('in collections that go in a circle ends', () => {
    const circle = [collection('inner', 'inherit', 'outer'), collection('outer', 'inherit', 'inner')];
    const collections = new Map(circle.map((one) => [one.id, one]));
    expect(asked({ collections })).toMatchObject({ reason: 'unknown', decides: [] });
  });
});

describe('a collection', () => {
  const place: LevelledResource = { ...inner, object: 'collection' };

  test('tells at least what levels give', () => {
    const answer = asked({ place, role: undefined });
    expect(answer).toMatchObject({
      role: 'comment',
      atLeast: true,
      reason: 'default',
      decides: ['collection outer'],
    });
    expect(answer.layers[1]).toBe('grant: unknown');
    expect(answer.why).toContain('the platform does not list them for collections');
  });

  test('may be open to a guest by a grant that nothing tells of', () => {
    const answer = asked({ place, role: undefined, organizationRole: null });
    expect(answer).toMatchObject({ role: null, atLeast: true, reason: 'none' });
    expect(answer.layers[1]).toBe('grant: unknown');
  });

  test('is open to admins', () => {
    expect(asked({ place, role: undefined, organizationRole: 'admin' })).toMatchObject({
      role: 'admin',
      atLeast: false,
      reason: 'admin',
    });
  });

  test('around which something was not read is unknown', () => {
    expect(asked({ place, role: undefined, collections: new Map() })).toMatchObject({
      role: 'unknown',
      reason: 'unknown',
    });
  });
});
