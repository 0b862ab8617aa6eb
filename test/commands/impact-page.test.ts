import { expect, it } from 'vitest';
import type { Impact } from '../../src/access/impact/shapes.js';
import { DocsError } from '../../src/base/errors.js';
import { impactReport } from '../../src/commands/impact/document.js';
import { partOf } from '../reports/written.js';

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
  const report = impactReport(
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
  expect(report.about.slice(1)).toEqual(['1 published URL stops working.', '1 person loses access.']);
  expect(report.facts).toEqual([
    ['Organization', 'o1'],
    ['Looked for', 'links, urls, dependents, people'],
  ]);
  expect(report.parts.map(({ title }) => title)).toEqual([
    'Links from elsewhere that break',
    'Published URLs that stop working',
    'What names it, uses it, or goes with it',
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
  expect(partOf(report, 'table', 'Links from elsewhere that break').empty).toBe(
    'No link from elsewhere breaks.',
  );
});

it('warns of what could not be read, and then claims nothing', () => {
  const error = new DocsError('server-error', 'server_error', 'The platform answered 500.');
  const report = impactReport(
    { ...nothing, unknown: [{ kind: 'space', id: 's2', title: 'FAQ', error }] },
    [],
  );
  expect(report.missing).toEqual(['Not read: space FAQ (s2): The platform answered 500.']);
  expect(report.about).toContain('Nothing was found.');
  expect(report.parts.map(({ title }) => title)).not.toContain('Could not be read');
  expect(partOf(report, 'table', 'Links from elsewhere that break').empty).toContain('in what could be read');
});
