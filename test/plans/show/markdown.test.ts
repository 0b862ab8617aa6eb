import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../src/plans/show/markdown.js';
import { operation, planOf, remark, sample } from './sample-plan.js';

const decoded = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('\u200b', '');

describe('a plan as Markdown', () => {
  it('begins with what it comes to, and what to look out for', () => {
    expect(decoded(planMarkdown(sample))).toMatch(
      /^### Plan for Acme Docs\n\n\*\*2 to create, 2 to change, .* · 1 cannot be undone\*\*\n\n> 1 person becomes an admin\.\n/,
    );
  });

  it('keeps a command below a risk apart, as code', () => {
    const risks = ['It can be restored until tomorrow:\n    docs spaces restore s1'];
    expect(decoded(planMarkdown(planOf([], { risks })))).toContain(
      '\n> It can be restored until tomorrow:<br><code>docs spaces restore s1</code>\n',
    );
  });

  it('counts the changes of each kind, and its findings, conflicts and what is withheld', () => {
    expect(planMarkdown(sample)).toContain(
      [
        '| Kind | create | change | move | delete | revert | withheld | findings | conflicts |',
        '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
        '| <code>people</code> |  | 1 |  |  | 1 |  | 2 |  |',
        '| <code>teams</code> | 1 |  |  |  |  | 1 |  | 1 |',
      ].join('\n'),
    );
  });

  it('folds the changes of each kind, and leaves few of them unfolded', () => {
    expect(decoded(planMarkdown(sample))).toContain(
      [
        '<details open><summary><code>people</code>: 2 operations</summary>',
        '',
        '| Action | Item | Change |',
        '| --- | --- | --- |',
        '| ~ change | <code>ada@acme.example</code> | <code>role: read → admin</code><br><code>PATCH /v1/orgs/acme1/members/u1 {"role":"admin"}</code><br>⚠ ada@acme.example would control the whole organization. |',
        '| ≠ revert | <code>grace@acme.example</code> | <code>role: admin → read</code><br><code>PATCH /v1/orgs/acme1/members/u2 {"role":"read"}</code> |',
        '',
        '</details>',
      ].join('\n'),
    );
    expect(decoded(planMarkdown(sample))).toContain('<code>email_domains: +acme.dev -old.example</code>');
    const many = planOf(Array.from({ length: 21 }, (_, at) => operation({ key: `t${at}` })));
    expect(planMarkdown(many)).toContain('<details><summary>');
  });

  it('lists findings with what to do', () => {
    expect(decoded(planMarkdown(sample))).toContain(
      [
        '**Findings (2)**',
        '',
        '- The API cannot create a member.',
        '  - <code>people/new@acme.example</code>: Invite new@acme.example.',
      ].join('\n'),
    );
  });

  it('says that there is nothing to do', () => {
    expect(planMarkdown(planOf([]))).toMatch(/^### Plan for Acme Docs\n\n\*\*nothing to do\*\*\n/);
  });

  it('lets no text become markup, a border, or a mention', () => {
    const evil = 'a | b `c` <img src=x onerror=y> **d** [e](http://f) @ada\n| g | <!-- \u202e --> </details>';
    const text = planMarkdown(
      planOf(
        [
          operation({ kind: evil, key: evil, risk: evil, fields: { [evil]: { before: evil, after: 'x' } } }),
          remark({ kind: evil, key: evil, finding: { code: 'x', message: evil, hint: evil } }),
        ],
        { organization: evil, risks: [evil], line: [evil] },
      ),
    );
    const own = /<\/?(?:code|details|summary|sub|br)(?: open)?>|^> |\*\*[^*]*\*\*/gm;
    const rest = text.replace(own, '');
    expect(rest).not.toMatch(/[<>`@[\]]|\u202e/);
    expect(text.match(/<\/details>/g)).toHaveLength(1);
    // Each row of a table has the borders of its columns alone.
    const rows = text.split('\n').filter((line) => line.startsWith('| ~') || line.startsWith('| &#126;'));
    expect(rows.map((row) => row.split('|').length)).toEqual([5]);
    // A mention is one only where nothing stands between the sign and the name.
    expect(text.replace(/<code>.*?<\/code>/g, '')).not.toMatch(/&#64;\w/);
  });

  it('is whole however long it is, and says where that is more than a comment holds', () => {
    const many = planOf(
      Array.from({ length: 500 }, (_, at) =>
        operation({ key: `item-${at}`, fields: { title: { after: 'x'.repeat(200) } } }),
      ),
    );
    const text = planMarkdown(many);
    expect(text.match(/item-/g)).toHaveLength(500);
    expect(decoded(text).match(/PATCH \/v1\/orgs\/acme1\/teams\/t1/g)).toHaveLength(500);
    expect(text).toContain('> This plan is longer than a comment, which can have 65,536 characters.');
    expect(planMarkdown(sample)).not.toContain('longer than a comment');
  });
});
