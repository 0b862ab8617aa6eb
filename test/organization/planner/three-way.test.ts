import { describe, expect, it } from 'vitest';
import { valueHash } from '../../../src/organization/value.js';
import { files, lines, lockOf, plan, platform, there, wanted } from './build.js';

const item = wanted('teams/writers', { title: 'File' });
const live = (title: string) => platform([there('teams', 't1', { title })]);
const lock = (title: string) =>
  lockOf({ 'teams/writers': { id: 't1', applied: { title: valueHash(title) } } });
const update = 'PATCH /teams/t1 {"title":"File"}';

describe('three values', () => {
  it('of which the file has another one than before are a change', () => {
    const planned = plan(files([item]), live('Old'), lock('Old'));
    expect(lines(planned)).toEqual([`update teams/writers ${update}`]);
    expect(planned.drafts[0]?.fields).toEqual({ title: { before: 'Old', after: 'File' } });
  });

  it('of which the platform has another one than before are drift', () => {
    expect(lines(plan(files([item]), live('By hand'), lock('File')))).toEqual([
      `drift teams/writers ${update}`,
    ]);
  });

  it('that agree although the lock has another one are settled', () => {
    const planned = plan(files([item]), live('File'), lock('Old'));
    expect(planned.drafts).toEqual([]);
    expect(planned.settled).toEqual([
      { item: 'teams/writers', to: { id: 't1', applied: { title: valueHash('File') } } },
    ]);
  });

  it('that agree with the lock are nothing at all', () => {
    expect(plan(files([item]), live('File'), lock('File'))).toEqual({
      drafts: [],
      settled: [],
      risks: [],
      notes: [],
    });
  });

  it('that all differ are a conflict, until somebody says which to take', () => {
    const conflict = plan(files([item]), live('By hand'), lock('Old'));
    expect(lines(conflict)).toEqual(['finding teams/writers conflict']);
    expect(conflict.drafts[0]?.fields).toEqual({ title: { before: 'By hand', after: 'File' } });
    const take = (side: 'file' | 'live') =>
      lines(plan(files([item]), live('By hand'), lock('Old'), { take: new Map([['teams/writers', side]]) }));
    expect(take('file')).toEqual([`update teams/writers ${update}`]);
    expect(take('live')).toEqual([]);
  });

  it('name what was renamed in the files by its former key, too', () => {
    const provider = wanted('saml/okta', { default_team: { $ref: 'teams/b' } });
    const team = (key: string, was?: string) => ({ ...wanted(`teams/${key}`, {}), ...(was && { was }) });
    const at = (id: string) =>
      platform([
        there('teams', 't1', {}),
        there('teams', 't2', {}),
        there('saml', 's', { default_team: { $id: id, kind: 'teams' } }),
      ]);
    const known = lockOf({
      'teams/a': { id: 't1', applied: {} },
      'teams/old': { id: 't2', applied: {} },
      'saml/okta': { id: 's', applied: { default_team: valueHash({ $ref: 'teams/old' }) } },
    });
    const desired = files([team('a'), team('b', 'old'), provider]);
    expect(lines(plan(desired, at('t2'), known))).toEqual([]);
    expect(lines(plan(desired, at('t1'), known))).toEqual([
      'drift saml/okta PATCH /saml/s {"defaultTeam":"t2"}',
    ]);
    const edited = files([
      team('a'),
      team('b', 'old'),
      { ...provider, fields: { default_team: { $ref: 'teams/a' } } },
    ]);
    expect(lines(plan(edited, at('t2'), known))).toEqual([
      'update saml/okta PATCH /saml/s {"defaultTeam":"t1"}',
    ]);
  });

  it('are a change where the lock knows nothing of them', () => {
    expect(
      lines(plan(files([item]), live('Old'), lockOf({ 'teams/writers': { id: 't1', applied: {} } }))),
    ).toEqual([`update teams/writers ${update}`]);
  });
});

describe('--only', () => {
  const desired = files([
    wanted('teams/a', { title: 'A' }),
    wanted('teams/b', { title: 'B' }),
    wanted('teams/new', { title: 'New' }),
  ]);
  const both = platform([
    there('teams', 't1', { title: 'A by hand' }),
    there('teams', 't2', { title: 'B old' }),
  ]);
  const known = lockOf({
    'teams/a': { id: 't1', applied: { title: valueHash('A') } },
    'teams/b': { id: 't2', applied: { title: valueHash('B old') } },
  });

  it('change leaves drift alone', () => {
    expect(lines(plan(desired, both, known, { only: 'change' }))).toEqual([
      'create teams/new PUT /teams {"title":"New"}',
      'update teams/b PATCH /teams/t2 {"title":"B"}',
    ]);
  });

  it('drift leaves changes alone', () => {
    expect(lines(plan(desired, both, known, { only: 'drift' }))).toEqual([
      'drift teams/a PATCH /teams/t1 {"title":"A"}',
    ]);
  });
});

describe('references', () => {
  const saml = (team: string) =>
    there('saml', 's1', { label: 'Okta', default_team: { $id: team, kind: 'teams' } }, { title: 'Okta' });
  const provider = (ref: string) => wanted('saml/okta', { label: 'Okta', default_team: { $ref: ref } });
  const teams = [there('teams', 't1', { title: 'Writers' }), there('teams', 't2', { title: 'Others' })];

  it('compare by what they name', () => {
    const desired = files([wanted('teams/writers', { title: 'Writers' }), provider('teams/writers')]);
    expect(plan(desired, platform([...teams, saml('t1')])).drafts).toEqual([]);
    const planned = plan(desired, platform([...teams, saml('t2')]));
    expect(lines(planned)).toEqual(['update saml/okta PATCH /saml/s1 {"defaultTeam":"t1"}']);
    expect(planned.drafts[0]?.fields).toEqual({ default_team: { before: 'id:t2', after: 'writers' } });
  });

  it('name by its id what no file names', () => {
    const desired = files([provider('teams/id:t2')]);
    expect(plan(desired, platform([...teams, saml('t2')])).drafts).toEqual([]);
    expect(lines(plan(desired, platform([...teams, saml('t1')])))).toEqual([
      'update saml/okta PATCH /saml/s1 {"defaultTeam":"t2"}',
    ]);
  });

  it('change from an item that leaves the files in the same edit', () => {
    const reference = valueHash({ $ref: 'teams/writers' });
    const known = lockOf({
      'teams/writers': { id: 't1', applied: {} },
      'saml/okta': { id: 's1', applied: { label: valueHash('Okta'), default_team: reference } },
    });
    const desired = files([wanted('teams/others', { title: 'Others' }), provider('teams/others')], {
      exact: ['teams'],
    });
    const planned = plan(desired, platform([...teams, saml('t1')]), known, { prune: true });
    expect(lines(planned)).toEqual([
      'update saml/okta PATCH /saml/s1 {"defaultTeam":"t2"}',
      'delete teams/writers DELETE /teams/t1',
    ]);
    expect(planned.drafts[0]?.fields).toEqual({ default_team: { before: 'writers', after: 'others' } });
    expect(planned.drafts[1]?.change?.after).toEqual([0]);
  });

  it('wait for what the plan makes', () => {
    const desired = files([wanted('teams/new', { title: 'New' }), provider('teams/new')]);
    const planned = plan(desired, platform([...teams, saml('t1')]));
    expect(lines(planned)).toEqual([
      'create teams/new PUT /teams {"title":"New"}',
      'update saml/okta PATCH /saml/s1 {"defaultTeam":{"$from":"o1","path":"id"}}',
    ]);
    expect(planned.drafts[1]?.change?.after).toEqual([0]);
  });
});

describe('values of maps', () => {
  const space = (values: object) =>
    there('spaces', 's1', { title: 'Welcome', fields: values }, { title: 'Welcome' });

  it('compare one by one, and those that no file names stay', () => {
    const desired = files([
      wanted('spaces/welcome', { title: 'Welcome', fields: { owner: 'Ada', level: 2 } }),
    ]);
    const live = platform([space({ owner: 'Bob', level: 2, other: 'x' })]);
    const planned = plan(desired, live);
    expect(lines(planned)).toEqual([
      'update spaces/welcome PATCH /v1/spaces/s1/custom-fields {"values":{"owner":{"value":"Ada"}}}',
    ]);
    expect(planned.drafts[0]?.fields).toEqual({ 'fields.owner': { before: 'Bob', after: 'Ada' } });
  });

  it('wait for the field that the plan creates', () => {
    const desired = files([
      wanted('fields/owner', { type: 'text', title: 'Owner' }),
      wanted('spaces/welcome', { title: 'Welcome', fields: { owner: 'Ada' } }),
    ]);
    const planned = plan(desired, platform([space({})], ['fields']));
    expect(lines(planned)).toEqual([
      'create fields/owner POST /custom-fields {"name":"owner","type":"text","title":"Owner"}',
      'update spaces/welcome PATCH /v1/spaces/s1/custom-fields {"values":{"owner":{"value":"Ada"}}}',
    ]);
    expect(planned.drafts[1]?.change?.after).toEqual([0]);
  });
});

describe('values of the environment', () => {
  const secret = 's3cret-canary';
  const desired = files([
    wanted('spaces/welcome', { title: 'Welcome', fields: { token: { $env: 'TOKEN' } } }),
  ]);
  const space = (token: string) => platform([there('spaces', 's1', { title: 'Welcome', fields: { token } })]);

  it('are in no plan and in no lock, yet compare', () => {
    const planned = plan(desired, space('old'), undefined, { env: { TOKEN: secret } });
    expect(planned.drafts).toHaveLength(1);
    const text = JSON.stringify(planned);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(valueHash(secret));
    const [draft] = planned.drafts;
    expect(draft?.change?.input.body).toMatchObject({
      values: {
        token: { value: { $env: 'TOKEN', fingerprint: expect.any(String), salt: expect.any(String) } },
      },
    });
    expect(draft?.fields?.['fields.token']).not.toHaveProperty('before');
    const entry = draft?.change?.lock?.to;
    expect(entry?.applied['fields.token']).toMatch(/^env:/);
    const lock = lockOf({ 'spaces/welcome': { id: 's1', applied: { ...entry?.applied } } });
    const again = plan(desired, space(secret), lock, { env: { TOKEN: secret } });
    expect(again.drafts).toEqual([]);
    expect(lines(plan(desired, space('by hand'), lock, { env: { TOKEN: secret } }))[0]).toMatch(/^drift /);
    expect(lines(plan(desired, space(secret), lock, { env: { TOKEN: 'rotated' } }))[0]).toMatch(/^update /);
  });

  it('must all be set', () => {
    const two = files([wanted('spaces/welcome', { fields: { a: { $env: 'A' }, b: { $env: 'B' } } })]);
    expect(() => plan(two, space('x'))).toThrow('environment variables A, B are not set');
  });
});
