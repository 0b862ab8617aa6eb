import { describe, expect, it, test } from 'vitest';
import { askedOf, canLook, questionsOf, type Request } from '../../src/access/impact/impact.js';
import { type Impact, impactActions, type RoleChange } from '../../src/access/impact/shapes.js';
import { countsOf, summaryOf, together } from '../../src/access/impact/summary.js';
import { valueLoss } from '../../src/access/impact/transfer.js';
import { operations } from '../../src/api/resources/index.js';
import { DocsError } from '../../src/base/errors.js';
import { impactPage } from '../../src/commands/impact/document.js';
import { type ImpactKind, impactKinds, renameFlags } from '../../src/commands/impact/kinds.js';
import { foundWords } from '../../src/commands/impact/run.js';
import { resources } from '../../src/model/resources.js';
import { lateError } from '../../src/snapshot/tasks.js';
import { partOf } from '../reports/written.js';

/** Which impact is asked about before a request is sent. */

/** Deletions, moves and transfers without an impact, each with its reason. */
const without: Readonly<Record<string, string>> = {
  'team-members.delete': 'docs impact access --remove-team tells who loses what',
  'section-groups.remove': 'the section stays on the site, at its address',
  'sections.move': 'changes an order',
  'section-groups.move': 'changes an order',
  'site-spaces.move': 'changes an order',
};

const changing = operations.filter(
  ({ method, path }) => method === 'DELETE' || /\/(?:move|transfer)$/.test(path),
);

describe('what an operation does', () => {
  it.each(changing.map((op) => [op.id, op] as const))('%s is asked about, or has no impact', (id, op) => {
    expect(askedOf(op) === undefined).toBe(id in without);
  });

  it('is told by its method and path, and what it does it to by what is read there', () => {
    const told = operations.flatMap((op) => {
      const asked = askedOf(op);
      return asked === undefined ? [] : [[op.id, asked.action, asked.object].join(' ')];
    });
    expect(told).toEqual(
      expect.arrayContaining([
        'spaces.delete delete space',
        'saml.delete delete saml-provider',
        'sections.update rename site-section',
        'site-spaces.update rename site-space',
        'sites.update rename site',
        'orgs.update rename organization',
        'spaces.move move space',
        'change-request-comments.delete delete comment',
      ]),
    );
    // A title is in no address.
    expect(told.join()).not.toMatch(/(?:^|,)(?:spaces|teams|collections)\.update/);
  });
});

function request(id: string, path: Record<string, unknown>, body?: unknown): Request {
  const op = operations.find((one) => one.id === id);
  if (op === undefined) throw new Error(id);
  return { op, input: { path, body } as Request['input'] };
}

describe('questions', () => {
  it('are one for each action and target, over all things', () => {
    const { questions, open } = questionsOf([
      request('spaces.delete', { spaceId: 's1' }),
      request('spaces.delete', { spaceId: 's2' }),
      request('spaces.delete', { spaceId: 's1' }),
      request('sections.delete', { organizationId: 'o1', siteId: 'w1', siteSectionId: 'n1' }),
      request('spaces.move', { spaceId: 's3' }, { parent: 'c1' }),
      request('spaces.move', { spaceId: 's4' }, { parent: null }),
      request('teams.update', { organizationId: 'o1', teamId: 't1' }, { title: 'Writers' }),
    ]);
    expect(open).toBe(0);
    expect(questions).toEqual([
      {
        action: 'delete',
        things: [
          { object: 'space', id: 's1' },
          { object: 'space', id: 's2' },
          { object: 'site-section', id: 'n1', within: { siteId: 'w1' } },
        ],
      },
      { action: 'move', to: { parent: 'c1' }, things: [{ object: 'space', id: 's3' }] },
      { action: 'move', to: { parent: null }, things: [{ object: 'space', id: 's4' }] },
    ]);
  });

  it('tell which names earlier requests free, for those that take them', () => {
    const within = { organizationId: 'o1', siteId: 'w1' };
    const rename = (siteSectionId: string, path: string) =>
      request('sections.update', { ...within, siteSectionId }, { path });
    const { questions } = questionsOf([
      rename('a', 'b-tmp'),
      rename('b', 'old-a'),
      request('sections.delete', { ...within, siteSectionId: 'c' }),
      rename('a', 'old-b'),
    ]);
    const freed = questions.flatMap(({ to, freed: names }) => [[to?.path, [...(names ?? [])]]]);
    expect(freed).toEqual([
      ['b-tmp', []],
      ['old-a', ['path a']],
      [undefined, []],
      ['old-b', ['path a', 'path b', 'path c', 'basename c', 'hostname c', 'proxy c']],
    ]);
  });

  it('are none for an order, for other fields, and for what an earlier request makes', () => {
    const made = { $from: 'o1', path: 'id' };
    const { questions, open } = questionsOf([
      request('spaces.move', { spaceId: 's1' }, { position: { before: { type: 'space', space: 's2' } } }),
      request('sites.update', { organizationId: 'o1', siteId: 'w1' }, { title: 'Docs' }),
      request('site-spaces.update', { organizationId: 'o1', siteId: 'w1', siteSpaceId: made }, { path: 'x' }),
      request('spaces.move', { spaceId: 's2' }, { parent: made }),
    ]);
    expect(questions).toEqual([]);
    expect(open).toBe(1);
  });
});

/** What the page of an impact says. */

const nothing: Impact = {
  question: { action: 'delete', things: [{ object: 'space', id: 's1' }] },
  things: [{ object: 'space', id: 's1', title: 'Guide' }],
  links: [],
  urls: [],
  redirects: [],
  dependents: [],
  people: [],
  looked: ['links', 'urls', 'dependents', 'people'],
  unknown: [],
  irreversible: [],
};

it('has a table for each section, and says first what they come to', () => {
  const url = 'https://docs.acme.example/guide/';
  const report = impactPage(
    {
      ...nothing,
      urls: [{ url, kind: 'space', title: 'Guide' }],
      redirects: [{ from: url, to: 'https://docs.acme.example/', why: 'parent' }],
      people: [
        {
          person: { id: 'u1', email: 'ada@acme.example' },
          space: { id: 's1', title: 'Guide' },
          ...{ from: 'edit', to: null, certain: true },
        },
      ],
      irreversible: ['It is gone for good.'],
    },
    [['Organization', 'o1']],
  );
  expect(report.title).toBe('Deleting space Guide (s1)');
  expect(report.headline).toBe('Deleting Guide changes 1 published URL and changes access for 1 person');
  expect(report.needs?.map(({ severity, text }) => `${severity}: ${text}`)).toEqual([
    'irreversible: It is gone for good.',
    'attention: 1 published URL stops working or changes',
    'attention: 1 role in a space may change',
  ]);
  expect(report.facts).toEqual([
    ['Organization', 'o1'],
    ['Looked for', 'links, urls, dependents, people'],
  ]);
  expect(report.parts.map(({ title }) => title)).toEqual([
    'How far it reaches',
    'Links from elsewhere that break',
    'Published URLs that stop working',
    'Items that name it, use it, or are deleted with it',
    'People whose access changes',
    'Limits of undo',
  ]);
  expect(partOf(report, 'table', 'Published URLs that stop working').rows).toEqual([
    [url, 'https://docs.acme.example/ (nearest page left)'],
  ]);
  expect(partOf(report, 'table', 'People whose access changes')).toMatchObject({
    columns: [{ label: 'Person' }, { label: 'Space' }, { label: 'Role' }, { label: 'Note' }],
    rows: [['ada@acme.example', 'Guide', 'edit → no access', '']],
  });
  expect(partOf(report, 'table', 'Limits of undo')).toMatchObject({
    columns: [{ label: 'What' }],
    rows: [['It is gone for good.']],
  });
  expect(partOf(report, 'table', 'Links from elsewhere that break').empty).toBe(
    'No link from elsewhere breaks.',
  );
});

it('warns of what could not be read, and then claims nothing', () => {
  const error = new DocsError('server-error', 'server_error', 'The platform answered 500.');
  const report = impactPage({ ...nothing, unknown: [{ kind: 'space', id: 's2', title: 'FAQ', error }] }, []);
  expect(report.missing).toEqual(['Not read: space FAQ (s2): The platform answered 500']);
  expect(report.headline).toBe('Deleting Guide: nothing found in the parts that could be read');
  expect(report.parts.map(({ title }) => title)).not.toContain('Could not be read');
  expect(partOf(report, 'table', 'Links from elsewhere that break').empty).toContain(
    'in the parts that could be read',
  );
});

/** What an impact can be asked about is what the declared operations can do. */

/** Deletions that end a membership, and delete nothing. */
const memberships = ['team-members.delete', 'section-groups.remove'];

/** The resource in the ids of operations: `site-spaces`. */
function resourcesOf({ kind, word }: ImpactKind): string[] {
  if (kind === undefined) return [`${word}s`];
  return [
    ...new Set([...resources[kind].lists, ...resources[kind].gets].map((id) => id.split('.')[0] ?? '')),
  ];
}

/** The kinds that have an operation like this, by word. */
function wordsWith(wanted: (id: string) => boolean): string[] {
  return impactKinds.filter((kind) => resourcesOf(kind).some(wanted)).map(({ word }) => word);
}

const wordsOf = (action: string) =>
  impactKinds.filter(({ actions }) => actions.some((one) => one === action)).map(({ word }) => word);

describe('the kinds of docs impact', () => {
  it('delete: whatever has a DELETE', () => {
    const deletions = operations.filter(({ method, id }) => method === 'DELETE' && !memberships.includes(id));
    const resources = deletions.map(({ id }) => id.split('.')[0] ?? '');
    expect(wordsWith((resource) => resources.includes(resource))).toEqual(wordsOf('delete'));
    const known = impactKinds.flatMap(resourcesOf);
    expect(resources.filter((resource) => !known.includes(resource))).toEqual([]);
  });

  it('move: whatever has an operation to move it', () => {
    const resources = operations
      .filter(({ id }) => id.endsWith('.move'))
      .map(({ id }) => id.split('.')[0] ?? '');
    expect(wordsWith((resource) => resources.includes(resource))).toEqual(wordsOf('move'));
  });

  it('rename: whatever has an update of what addresses are made of, with a flag for each', () => {
    const fields = [...renameFlags.map(([flag]) => flag), 'slug'];
    const updates = operations.filter(({ id }) => id.endsWith('.update'));
    for (const [flag, words] of renameFlags) {
      const resources = updates
        .filter(({ body }) => Object.keys(body?.properties ?? {}).includes(flag))
        .map(({ id }) => id.split('.')[0] ?? '');
      expect(wordsWith((resource) => resources.includes(resource)).sort(), flag).toEqual([...words].sort());
    }
    const renaming = updates.filter(({ body }) => fields.some((field) => field in (body?.properties ?? {})));
    const resources = renaming.map(({ id }) => id.split('.')[0] ?? '');
    expect(wordsWith((resource) => resources.includes(resource)).sort()).toEqual(wordsOf('rename').sort());
  });

  it('can be looked at, each', () => {
    for (const { object, actions } of impactKinds)
      for (const action of impactActions)
        if (action !== 'transfer')
          expect(canLook(action, object), `${action} ${object}`).toBe(actions.includes(action));
  });
});

/** An impact in a few sentences. */

function impact(more: Partial<Impact>): Impact {
  return {
    question: { action: 'delete', things: [{ object: 'space', id: 's1' }] },
    things: [{ object: 'space', id: 's1', title: 'Handbook' }],
    ...{ links: [], urls: [], redirects: [], dependents: [], people: [], looked: [], unknown: [] },
    irreversible: [],
    ...more,
  };
}

function link(space: string, page = 'p1'): Impact['links'][number] {
  const from = { space: { id: space, title: space }, page: { id: page } };
  return { from, to: { kind: 'space', space: 's1' }, via: 'reference', status: 'ok' };
}

function role(id: string, from: RoleChange['from'], to: RoleChange['to'], certain = true): RoleChange {
  return { person: { id }, space: { id: 's1', title: 'Handbook' }, from, to, certain };
}

function url(at: number, becomes?: string): Impact['urls'][number] {
  const known = { url: `https://docs.example/${at}`, site: 'w1', kind: 'page', title: 'Page' } as const;
  return becomes === undefined ? known : { ...known, becomes };
}

it('what was found is counted in words, of each aspect that was looked at', () => {
  const looked: Impact['looked'] = ['links', 'urls', 'dependents', 'people'];
  const found = impact({
    looked,
    links: [link('s2')],
    urls: [url(1), url(2)],
    people: [role('u1', 'edit', 'read')],
  });
  expect(foundWords(found)).toBe('1 link, 2 URLs, 1 change of access');
  expect(foundWords(impact({ looked, urls: [url(1)] }))).toBe('1 URL');
});

describe('the summary', () => {
  it('is empty where nothing was found', () => {
    expect(summaryOf(impact({}))).toEqual([]);
  });

  it('says of a comment that its replies go with it', () => {
    const what = '2 replies to it go with it.';
    const things = [{ object: 'comment' as const, id: 'c1', title: 'c1' }];
    const reply = { kind: 'reply' as const, id: 'c1', title: 'c1', what };
    expect(summaryOf(impact({ things, dependents: [reply] }))).toEqual([what]);
    const more = [reply, { ...reply, id: 'c2', title: 'c2' }, { ...reply, id: 'c3', title: 'c3' }];
    expect(summaryOf(impact({ things, dependents: more }))).toEqual(['3 comments lose their replies.']);
  });

  it('counts links, addresses, what rests on it, and people, each in a sentence', () => {
    const found = impact({
      links: [link('s2'), link('s2', 'p2'), link('s3')],
      urls: [url(1), url(2), url(3, 'https://docs.example/new')],
      dependents: [
        { kind: 'change-request', id: 'r1', what: 'It goes.' },
        { kind: 'change-request', id: 'r2', what: 'It goes.' },
        { kind: 'default', id: 'x', title: 'Docs', what: 'It is the default section of site Docs.' },
      ],
      people: [role('u1', 'read', null), role('u2', 'edit', 'read'), role('u3', 'edit', null, false)],
      irreversible: ['It cannot be restored.'],
    });
    expect(summaryOf(found)).toEqual([
      '3 links in 2 other spaces lead here.',
      '2 published URLs stop working.',
      '1 published URL changes.',
      '2 change requests are pending.',
      'Docs: It is the default section of site Docs.',
      '1 person loses access.',
      '1 person may lose access.',
      '1 person gets a lower role.',
      'It cannot be restored.',
    ]);
    expect(summaryOf(found, { told: new Set(['change-request', 'irreversible', 'default']) })).toEqual([
      '3 links in 2 other spaces lead here.',
      '2 published URLs stop working.',
      '1 published URL changes.',
      '1 person loses access.',
      '1 person may lose access.',
      '1 person gets a lower role.',
    ]);
  });

  it('says what was not looked at, and why', () => {
    const forbidden = new DocsError('forbidden', 'forbidden', 'The platform refused it.');
    const unknown = [
      { kind: 'space', id: 's2', error: lateError() },
      { kind: 'space', id: 's3', error: lateError() },
      { kind: 'members', id: 'o1', error: lateError() },
      { kind: 'member-spaces', id: 'u1', error: lateError() },
      { kind: 'member-spaces', id: 'u2', error: lateError() },
      { kind: 'site', id: 'w1', error: forbidden },
    ];
    expect(summaryOf(impact({ unknown }), { seconds: 10 })).toEqual([
      'Could not look at 2 spaces, the members and 2 member spaces within 10 s.',
      'Could not look at 1 site.',
    ]);
  });

  it('lets no title command the terminal', () => {
    const what = 'It is \u001b[31mred\u202e\nand long.';
    const found = impact({ dependents: [{ kind: 'default', id: 'x', title: 'a\u0007b', what }] });
    expect(summaryOf(found)).toEqual(['a␇b: It is ␛[31mred<U+202E> and long.']);
  });
});

describe('several impacts', () => {
  it('are one: what two of them tell counts once, and of a person the gravest change', () => {
    const one = impact({ links: [link('s3')], urls: [url(1)], people: [role('u1', 'edit', 'read')] });
    const other = impact({
      things: [{ object: 'space', id: 's2', title: 'Guide' }],
      links: [link('s3'), link('s4')],
      urls: [url(1), url(2)],
      people: [role('u1', 'edit', null)],
    });
    const all = together([one, other]);
    expect(summaryOf(all)).toEqual([
      '2 links in 2 other spaces lead to these.',
      '2 published URLs stop working.',
      '1 person loses access.',
    ]);
    expect(countsOf(all)).toEqual({ links: 2, urls: 2, people: 1, dependents: {}, unknown: 0 });
  });
});

test.each([
  ['no field of the name', 'text', 'a', {}, { kept: [], why: 'no-field' }],
  ['a field of another type', 'text', 'a', { type: 'url' }, { kept: [], why: 'other-type' }],
  ['the same type', 'text', 'a', { type: 'text' }, undefined],
  ['a choice without options', 'select', 'a', { type: 'select' }, undefined],
  ['an option that is there', 'select', 'a', { type: 'select', options: ['a', 'b'] }, undefined],
  ['one that is not', 'select', 'a', { type: 'select', options: ['b'] }, { kept: [], why: 'options' }],
  [
    'some of several',
    'multiselect',
    ['a', 'b'],
    { type: 'multiselect', options: ['b'] },
    { kept: ['b'], why: 'options' },
  ],
  [
    'none of several',
    'multiselect',
    ['a'],
    { type: 'multiselect', options: ['b'] },
    { kept: [], why: 'options' },
  ],
  ['options of a text are not compared', 'text', 'a', { type: 'text', options: ['b'] }, undefined],
])('a value where the target has %s', (_, type, value, field, loss) => {
  const fields = new Map(
    'type' in field
      ? [['f', { type: String(field.type), ...('options' in field && { options: field.options }) }]]
      : [],
  );
  expect(valueLoss({ name: 'f', type }, value, fields)).toEqual(loss);
});
