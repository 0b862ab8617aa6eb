import { describe, expect, it } from 'vitest';
import { planReport } from '../../src/commands/shared/plan-page.js';
import { operation, planOf, remark, sample } from '../plans/show/sample-plan.js';
import { partOf } from '../reports/written.js';

/** What the page of a plan says. */

const changesOf = (report: ReturnType<typeof planReport>) => partOf(report, 'changes', 'Changes').items;
const fieldsOf = (fields: Record<string, { before?: unknown; after?: unknown }>) =>
  changesOf(planReport(planOf([operation({ fields })])))[0]?.fields;

describe('the page of a plan', () => {
  it('says what it comes to, what to look out for, and where it is from', () => {
    const { title, about, missing, facts } = planReport(sample);
    expect(title).toBe('Plan for Acme Docs');
    expect(about?.[0]).toMatch(/^2 to create, 2 to change, .* · 1 cannot be undone\.$/);
    expect(about?.[1]).toBe('1 person becomes an admin.');
    expect(missing).toEqual([]);
    expect(facts).toEqual([
      ['Organization', 'Acme Docs (acme1)'],
      ['Platform', 'https://docs.example'],
      ['Made', '2026-11-22 10:12:03 UTC'],
      ['By', 'ada@acme.example'],
      ['With', 'docs plan --save-plan plan.json'],
      ['Plan', 'p-9f3ab2c4d5e6f708'],
    ]);
  });

  it('has each change with its fields before and after', () => {
    const report = planReport(sample, { file: ({ kind }) => `${kind}.yaml` });
    expect(changesOf(report)[0]).toEqual({
      action: 'change',
      as: 'member',
      title: 'ada@acme.example',
      id: expect.stringMatching(/^o\d+$/),
      severity: 'widening',
      notes: [
        'PATCH /v1/orgs/acme1/members/u1 {"role":"admin"}',
        'ada@acme.example would control the whole organization.',
        'File: people.yaml',
      ],
      fields: [{ name: 'role', before: 'read', after: 'admin' }],
    });
    expect(changesOf(report)[1]).toMatchObject({
      action: 'revert',
      notes: [
        'PATCH /v1/orgs/acme1/members/u2 {"role":"read"}',
        'Changed by hand on the platform.',
        'File: people.yaml',
      ],
    });
    expect(changesOf(report)[2]).toMatchObject({
      action: 'create',
      fields: [{ name: 'title', before: null, after: 'Writers' }],
    });
    expect(changesOf(report)[6]?.notes?.[1]).toBe(
      'Cannot be undone: the spaces of a deleted collection go with it.',
    );
  });

  it('keeps texts of several lines whole, and tells what lists gain and lose', () => {
    expect(
      fieldsOf({
        text: { before: 'one\ntwo', after: 'one' },
        tags: { before: ['a', 'b'], after: ['a', 'c'] },
      }),
    ).toEqual([
      { name: 'text', before: ['one', 'two'], after: 'one' },
      { name: 'tags', before: ['-b'], after: ['+c'] },
    ]);
  });

  it('names variables of the environment, and never shows their values', () => {
    const env = { $env: 'SSO_SECRET', fingerprint: 'f00d', salt: '5a17' };
    const report = planReport(planOf([operation({ fields: { secret: { after: env } } })]));
    expect(changesOf(report)[0]?.fields).toEqual([
      { name: 'secret', before: null, after: '!env SSO_SECRET' },
    ]);
    expect(JSON.stringify(report)).not.toMatch(/f00d|5a17/);
  });

  it('has conflicts with both sides, and findings and what is withheld with what to do', () => {
    const report = planReport(sample);
    expect(partOf(report, 'changes', 'Conflicts').items).toEqual([
      {
        action: 'conflict',
        as: 'team',
        title: 'editors',
        notes: [
          'Changed in teams.yaml and on the platform.',
          'docs apply --take file=teams/editors, or --take live=teams/editors',
        ],
        fields: [{ name: 'title', before: 'Editors!', after: 'The editors' }],
      },
    ]);
    expect(partOf(report, 'table', 'Findings').rows[0]).toEqual([
      'people/new@acme.example',
      'The API cannot create a member.',
      'Invite new@acme.example.',
    ]);
    expect(partOf(report, 'table', 'Withheld').rows).toEqual([
      ['teams/old-team', 'Not in teams.yaml.', 'docs apply --prune deletes it.'],
    ]);
  });

  it('has guards apart from the findings', () => {
    const finding = { code: 'guarded', message: 'It would remove the last administrator.' };
    const report = planReport(planOf([remark({ key: 'ada@acme.example', kind: 'people', finding })]));
    expect(partOf(report, 'table', 'Guards')).toMatchObject({
      note: 'docs apply refuses this plan.',
      rows: [['people/ada@acme.example', 'It would remove the last administrator.', null]],
    });
    expect(report.parts.map(({ title }) => title)).toEqual(['Guards', 'Changes']);
    expect(changesOf(report)).toEqual([]);
  });

  it('says what it could not look at, and why it cannot be applied', () => {
    const impact = { links: 0, urls: 0, people: 0, dependents: {}, unknown: 2 };
    const around = { missed: ['The token may not read teams.'], reasons: ['It was edited.'] };
    const { about, missing } = planReport(planOf([], { impact }), around);
    expect(about).toEqual(['Nothing to do.', 'It was edited.']);
    expect(missing).toEqual([
      'The token may not read teams.',
      '2 reads of the effects failed: more may break than is shown.',
    ]);
  });

  it('says who approved it', () => {
    const given = {
      email: 'grace@acme.example',
      when: '2026-11-22T11:00:00Z',
      host: 'desk',
      key: 'SHA256:x',
    };
    const approval = {
      approved: false,
      by: [],
      given: [{ ...given, holds: false, why: 'the key is unknown' }],
      missing: ['1 more approval is required.'],
    };
    expect(partOf(planReport(sample, { approval }), 'table', 'Approvals')).toMatchObject({
      note: '1 more approval is required.',
      rows: [['grace@acme.example', '2026-11-22T11:00:00Z', 'desk', 'SHA256:x', false, 'the key is unknown']],
    });
  });
});
