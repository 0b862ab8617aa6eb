import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { PlanOperation, PlanRequest } from '../../../src/plans/plan.js';
import { planMarkdown } from '../../../src/plans/show/markdown.js';
import { planText } from '../../../src/plans/show/text.js';
import { operation, planOf, remark, sample } from './sample-plan.js';

const at = (columns: number) => planText(sample, { columns, colour: false });
const widest = (text: string) => Math.max(...text.split('\n').map((line) => stringWidth(line)));

describe('a plan with a note', () => {
  const item = 'memberships/writers/ada@acme.example';
  const noted = planOf([], { notes: [{ code: 'stays', item, message: 'It stays.', hint: 'Look.' }] });

  it('counts nothing to do, and tells the note with what to do', () => {
    expect(planText(noted, { columns: 80, colour: false })).toBe(
      `Plan for Acme Docs: nothing to do\n\nNotes (1)\n  · ${item}: It stays.\n        → Look.\n`,
    );
  });

  it('tells it in Markdown', () => {
    expect(planMarkdown(noted)).toContain('**Notes (1)**\n\n- It stays.\n  - <code>memberships/writers');
  });
});

describe('a plan on a terminal', () => {
  it('begins with what it comes to', () => {
    expect(at(120)).toMatch(
      /^Plan for Acme Docs: 2 to create, 2 to change, 1 to move, 1 to delete, 1 to revert \(drift\), 1 withheld, 2 findings, 1\nconflict · 1 cannot be undone\n! 1 person becomes an admin\.\n/,
    );
  });

  it('groups operations by kind, with what changes beside them', () => {
    expect(at(120)).toContain(
      [
        'people',
        '  ~ ada@acme.example    role: read → admin',
        '      PATCH /v1/orgs/acme1/members/u1 {"role":"admin"}',
        '    ! ada@acme.example would control the whole organization.',
        '  ≠ grace@acme.example  role: admin → read  (changed by hand)',
      ].join('\n'),
    );
  });

  it('names the items in which an item is', () => {
    expect(at(80)).toContain('  + writers/ada@acme.example  role: owner\n');
    expect(at(80)).toContain('  ⇅ acme-docs/guides  place: after api → first\n');
  });

  it('gives each change a line where they do not fit, and lists as what they gain and lose', () => {
    expect(at(80)).toContain(
      [
        '  ~ organization',
        '      email_domains  +acme.dev -old.example',
        '      title          Acme → Acme Inc.',
        '      hostname       none → docs.acme.example',
      ].join('\n'),
    );
  });

  it('says once what is said of several items, with what to do for each', () => {
    expect(at(80)).toContain(
      [
        'Findings (2)',
        '  ! The API cannot create a member.',
        '      people/new@acme.example',
        '        → Invite new@acme.example.',
        '      people/other@acme.example',
        '        → Invite other@acme.example.',
      ].join('\n'),
    );
  });

  it('tells conflicts, what is withheld and what cannot be undone at the end', () => {
    expect(at(80)).toContain(
      [
        'Conflicts (1)',
        '  ! teams/editors (title: Editors! → The editors): Changed in teams.yaml and on',
        '    the platform.',
        '        → docs apply --take file=teams/editors, or --take live=teams/editors',
      ].join('\n'),
    );
    expect(at(80)).toContain('Withheld (1)\n  · teams/old-team: Not in teams.yaml.\n');
    expect(at(80)).toContain(
      'Cannot be undone (1)\n  - collections/archive: The spaces of a deleted collection go with it.\n',
    );
  });

  it('explains the symbols that it uses', () => {
    const plan = planOf([operation({ action: 'create' }), operation({ action: 'delete' })]);
    expect(planText(plan, { columns: 80, colour: false })).toMatch(/\n\+ create {3}- delete\n$/);
  });

  it('names the file of a kind where it is known', () => {
    const text = planText(sample, {
      columns: 80,
      colour: false,
      file: ({ kind }) => (kind === 'people' ? 'people.yaml' : undefined),
    });
    expect(text).toContain('\npeople  people.yaml\n');
  });

  it('says that there is nothing to do', () => {
    expect(planText(planOf([]), { columns: 80, colour: false })).toBe('Plan for Acme Docs: nothing to do\n');
    const { title: _, ...untitled } = planOf([]);
    const ofFolder = planText({ ...untitled, lock: [] }, { columns: 80, colour: false });
    expect(ofFolder).toBe('Plan for acme1: nothing to do\n');
    expect(planText({ ...untitled, command: 'teams update' }, { columns: 80, colour: false })).toBe(
      'Plan for docs teams update: nothing to do\n',
    );
  });

  it('says who made it, when and how, if asked', () => {
    expect(planText(sample, { columns: 120, colour: false, made: true })).toContain(
      '\nPlan p-9f3ab2c4d5e6f708, made 2026-11-22 10:12:03 UTC by ada@acme.example: docs plan --save-plan plan.json\n',
    );
  });
});

describe('the width of a plan', () => {
  const wide = planOf([
    operation({ key: '技術文書チーム', fields: { title: { before: '技術文書', after: '技術文書と翻訳' } } }),
    operation({
      key: '👩‍👩‍👧‍👦 family',
      fields: { title: { before: '👍🏽'.repeat(50), after: 'e\u0301'.repeat(90) } },
    }),
    operation({
      key: 'x'.repeat(300),
      fields: { description: { before: 'a '.repeat(200), after: 'b '.repeat(200) } },
    }),
    operation({
      fields: Object.fromEntries(
        Array.from({ length: 5 }, (_, i) => [`f${i}`.repeat(20), { after: 'v'.repeat(99) }]),
      ),
    }),
    operation({
      fields: { list: { before: [], after: Array.from({ length: 99 }, (_, i) => `d${i}.example`) } },
    }),
    remark({
      key: 'y'.repeat(200),
      finding: { code: 'x', message: 'word '.repeat(60), hint: 'docs '.repeat(60) },
    }),
  ]);

  it.each([80, 120, 40])('is never more than %i columns', (columns) => {
    expect(widest(planText(sample, { columns, colour: false }))).toBeLessThanOrEqual(
      // The legend is a line of its own, and stays whole.
      Math.max(columns, 90),
    );
    expect(widest(planText(wide, { columns, colour: false, full: true }))).toBeLessThanOrEqual(columns);
  });

  it('cuts two long values where they differ', () => {
    const [before, after] = ['read', 'admin'].map(
      (word) => `${'The same beginning of a text. '.repeat(4)}${word}`,
    );
    const text = planText(planOf([operation({ fields: { text: { before, after } } })]), {
      columns: 80,
      colour: false,
    });
    expect(text).toMatch(/…\S* ?text\. read → …\S* ?text\. admin\n/);
  });
});

describe('values in a plan', () => {
  const one = (before: unknown, after: unknown) =>
    /title: (.*)/.exec(
      planText(planOf([operation({ fields: { title: { before, after } } })]), {
        columns: 120,
        colour: false,
      }),
    )?.[1];

  it.each([
    ['a', 'b', 'a → b'],
    ['', 'none', '"" → "none"'],
    [null, ' b', 'none → " b"'],
    [false, true, 'false → true'],
    ['1', 2, '"1" → 2'],
    [undefined, 'b', 'b'],
    ['a → b', 'c', '"a → b" → c'],
    ['one\ntwo\n', 'one\nthree\nfour', 'one … (2 lines) → one … (3 lines)'],
    [{ $env: 'OLD' }, { $env: 'CERT', fingerprint: 'f', salt: 's' }, '!env OLD → !env CERT'],
    [{ $ref: 'teams/a' }, { $ref: 'teams/b' }, 'teams/a → teams/b'],
    [null, { $from: 'o1', path: 'id' }, 'none → (known once o1 is done)'],
    [['b', 'a'], ['a', 'b'], '[b, a] → [a, b]'],
  ])('%j to %j is %s', (before, after, text) => {
    expect(one(before, after)).toBe(text);
  });

  it('takes maps apart and leaves out what stays', () => {
    const fields = { fields: { before: { a: 1, b: 2, d: 4 }, after: { a: 1, b: 3, c: 'x' } } };
    const text = planText(planOf([operation({ fields })]), { columns: 120, colour: false });
    expect(text).toContain('  ~ writers  fields.b: 2 → 3  fields.d: 4  fields.c: x\n');
  });

  it('keeps a command below a risk on its own line, whole', () => {
    const id = 'x'.repeat(60);
    const risks = [`It can be restored until tomorrow:\n    docs spaces restore ${id}`, 'It has 9 pages.'];
    const text = planText(planOf([], { risks }), { columns: 60, colour: false });
    expect(text).toContain(
      `! It can be restored until tomorrow:\n      docs spaces restore ${id}\n! It has 9 pages.\n`,
    );
  });

  it('shows hostile text and never obeys it', () => {
    const evil = '\u001b[2J\u202eevil\r\n\u0007';
    const text = planText(
      planOf(
        [
          operation({
            key: evil,
            kind: evil,
            risk: evil,
            fields: { [evil]: { before: evil, after: evil + evil } },
          }),
          operation({ key: evil, undo: 'none', why: evil }),
          remark({ key: evil, finding: { code: 'x', message: evil, hint: evil } }),
        ],
        { organization: evil, risks: [evil], line: [evil] },
      ),
      { columns: 120, colour: false, made: true, file: () => evil },
    );
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(text).toContain('␛[2J<U+202E>evil');
  });
});

describe('a plan of 2,000 operations', () => {
  const many = planOf([
    ...Array.from({ length: 2000 }, (_, at) =>
      operation({ key: `team-${at}`, action: 'delete', undo: 'none', why: 'gone' }),
    ),
    ...Array.from({ length: 50 }, (_, at) =>
      remark({ key: `p-${at}`, finding: { code: 'x', message: 'No.' } }),
    ),
  ]);

  it('shows every operation with its request, and the first 20 findings that are alike', () => {
    const text = planText(many, { columns: 80, colour: false });
    expect(text).toContain('  - team-1999');
    expect(text.match(/^ {6}PATCH \/v1\/orgs\/acme1\/teams\/t1$/gm)).toHaveLength(2000);
    expect(text).toContain('    … and 30 more; --full shows all\n');
  });

  it('tells what a request exposes, whether the plan says so or not', () => {
    const { risk: _, ...silent } = sample.operations[0] as PlanOperation;
    const text = planText(planOf([silent]), { columns: 100, colour: false });
    expect(text).toContain('    ! ada@acme.example would control the whole organization.');
  });

  it('cuts no request, and names values of the environment by their variable', () => {
    const long = 'x'.repeat(5000);
    const env = { $env: 'SECRET', fingerprint: 'f00d', salt: '5a17' };
    const request = { ...operation({}).request, body: { title: long, url: env } };
    const text = planText(planOf([operation({ request: request as PlanRequest })]), {
      columns: 60,
      colour: false,
    });
    expect(text.replace(/\n +/g, '')).toContain(`{"title":"${long}","url":{"$env":"SECRET"}}`);
    expect(text).not.toMatch(/f00d|5a17/);
  });

  it('shows all with --full', () => {
    const text = planText(many, { columns: 80, colour: false, full: true });
    expect(text).toContain('  - team-1999');
    expect(text).not.toContain('--full');
  });
});

describe('the colours of a plan', () => {
  it('come where they are wanted, and change no character', () => {
    const coloured = planText(sample, { columns: 80, colour: true });
    expect(coloured).toContain('\u001b[33m~\u001b[39m ada@acme.example');
    expect(coloured).toContain('\u001b[31mread\u001b[39m \u001b[2m→\u001b[22m \u001b[32madmin\u001b[39m');
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(at(80));
  });
});

it('cuts no character in half, where two long values differ at their end', () => {
  for (let pad = 0; pad < 4; pad += 1) {
    const text = `${'x'.repeat(pad)}${'😀'.repeat(60)}`;
    const change = operation({ fields: { title: { before: `${text}a`, after: `${text}b` } } });
    expect(planText(planOf([change]), { columns: 60, colour: false })).not.toMatch(
      /[^\ud800-\udbff][\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/,
    );
  }
});

describe('a plan that a person sees', () => {
  const member = (at: number) =>
    operation({
      ...{ id: `o${at}`, kind: 'people', key: `p${at}@acme.example` },
      fields: { role: { before: 'read', after: 'comment' } },
      request: {
        ...{ operation: 'members.update', method: 'PATCH', path: `/v1/orgs/acme1/members/u${at}` },
        ...{ parameters: { organizationId: 'acme1', userId: `u${at}` }, body: { role: 'comment' } },
      } as PlanRequest,
    });
  const plan = planOf(Array.from({ length: 6 }, (_, at) => member(at)));
  const look = { columns: 80, colour: false, drawn: 'unicode', folds: true } as const;

  it('has equal operations as one, with the pattern of their requests, and its sum at the end', () => {
    expect(planText(plan, look)).toBe(
      [
        'Plan for Acme Docs: 6 to change',
        '',
        '~~~~~~  ~6 change',
        '',
        'people',
        '  ~ 6 alike  role: read → comment',
        '      p0@acme.example, p1@acme.example, p2@acme.example, p3@acme.example and 2',
        '      more; --full shows each',
        '      PATCH /v1/orgs/acme1/members/… {"role":"comment"}',
        '',
        'Plan for Acme Docs: 6 to change',
        '',
      ].join('\n'),
    );
  });

  it.each([{ folds: false }, { drawn: undefined }])('has each request with %j', (more) => {
    expect(planText(plan, { ...look, ...more }).match(/PATCH .*members\/u\d/g)).toHaveLength(6);
  });

  it('folds no operation whose request differs from what it says', () => {
    const other = {
      ...member(9),
      request: { ...(member(9).request as PlanRequest), body: { role: 'edit' } },
    };
    const text = planText(planOf([...plan.operations, other]), look);
    expect(text).toContain('6 alike');
    expect(text).toContain('PATCH /v1/orgs/acme1/members/u9 {"role":"edit"}');
  });

  it('has what to look at before its operations, and is ASCII where the terminal is', () => {
    const text = planText(sample, { ...look, drawn: 'ascii' });
    expect(text.indexOf('^ Widens access: ada@acme.example')).toBeGreaterThan(0);
    expect(text.indexOf('^ Widens access')).toBeLessThan(text.indexOf('\npeople\n'));
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });
});
