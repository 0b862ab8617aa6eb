import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReviewRow } from '../../../src/access/members.js';
import { ReviewTables, reviewPage } from '../../../src/commands/members/review-run.js';
import { pageData, rowsOf } from '../../reports/page-data.js';
import { org, orgWorldOfFile, person, team } from './org-world.js';

/** `docs members review --html`. */

const world = await orgWorldOfFile();
const { gateway } = world;

describe('in an organization', () => {
  const review = (...words: string[]) =>
    world.run(['members', 'review', ...words], { env: { DOCS_RETRIES: '0' } });
  const html = ['--html', 'review.html'];
  const page = () => pageData(join(world.home, 'review.html'));

  test('the page has what the review prints, and what needs attention', async () => {
    const without = await review('-o', 'csv');
    const ran = await review('-o', 'csv', ...html);
    expect(ran).toMatchObject({ code: 0, stdout: without.stdout });
    expect(ran.stderr).toMatch(/^Wrote review\.html \(\d+(?:\.\d)? kB\)\.\n7 members to review\.\n$/);
    const { title, parts, missing, facts, about } = page();
    expect({ title, missing }).toEqual({ title: 'Access review of Acme Docs', missing: [] });
    expect(facts.Organization).toBe(`Acme Docs (${org})`);
    expect(about).toContain('Inactive: not seen for 90d, or, if never seen, joined before that.');
    const members = rowsOf(parts, 'Members');
    expect(members.map((row) => row.Email)).toEqual(
      ['goran', 'farah', 'emil', 'deniz', 'chiara', 'bruno', 'ada'].map((name) => `${name}@acme.example`),
    );
    expect(members[4]).toEqual({
      ...{ Name: 'Chiara Rossi', Email: 'chiara@acme.example', ID: person('chiara'), Role: 'review' },
      ...{ Flags: ['no-sso', 'only-owner'], SSO: false, Disabled: false },
      ...{ 'Last seen': expect.any(String), Joined: expect.any(String) },
      ...{ Teams: ['Writers (only owner)'], Spaces: ['review 2', 'edit 2', 'comment 1'] },
    });
    expect(rowsOf(parts, 'Findings').map(({ Flag, Members }) => [Flag, Members])).toEqual([
      ['admin', 1],
      ['guest', 1],
      ['inactive', expect.any(Number)],
      ['never-seen', 1],
      ['no-sso', 7],
      ['only-owner', 2],
    ]);
    expect(rowsOf(parts, 'Teams with one owner').find((row) => row['Team ID'] === team('writers'))).toEqual({
      ...{ Team: 'Writers', Owner: 'Chiara Rossi', Email: 'chiara@acme.example', Role: 'review' },
      ...{ 'Team ID': team('writers'), 'Owner ID': person('chiara') },
    });
  });

  test('a review that is not whole is written, says so, and exits 3', async () => {
    gateway.rule = (line) => (line.includes(`/members/${person('emil')}/spaces`) ? 403 : undefined);
    expect((await review(...html)).code).toBe(3);
    const { missing, parts } = page();
    expect(missing).toEqual(['Cannot read spaces of emil@acme.example: The gateway says no']);
    expect(rowsOf(parts, 'Members')[2]).toMatchObject({
      Flags: ['no-sso', 'not-read'],
      Spaces: ['not read: spaces'],
    });
  });

  test('says which members were asked for', async () => {
    await review('--role', 'admin', '--inactive', '30d', ...html);
    expect(page().about).toEqual([
      expect.stringContaining('Only members with the role admin, and who are inactive were asked for.'),
      'Inactive: not seen for 30d, or, if never seen, joined before that.',
    ]);
  });

  test('another file is refused before anything is asked, and --apply makes no page', async () => {
    writeFileSync(join(world.home, 'review.html'), 'mine');
    const refused = await review(...html);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('review.html already exists and is not a report of docs');
    expect(gateway.requests).toEqual([]);
    expect(readFileSync(join(world.home, 'review.html'), 'utf8')).toBe('mine');
    const applied = await review('--apply', 'reviewed.csv', '--html', 'other.html');
    expect(applied.stderr).toContain('--apply and --html contradict each other');
    expect((await review('--dry-run', '--html', 'other.html')).stderr).toContain(
      'Dry run: did not write other.html.',
    );
    expect(existsSync(join(world.home, 'other.html'))).toBe(false);
  });
});

test('a row shows no more than was read', () => {
  const row: ReviewRow = {
    ...{ id: 'u1', user: { displayName: 'Bo' }, role: null, joinedAt: '2025-01-01T00:00:00.000Z' },
    ...{ sso: true, disabled: false, flags: [], teams: [], spaces: [], notRead: [], decision: '' },
  };
  const tables = new ReviewTables();
  tables.add(row);
  const { parts } = reviewPage(tables, {
    ...{ organization: { title: 'Acme' }, facts: [], about: [], missing: [], span: '90d' },
    asked: { inactive: false, roles: [], noSso: false },
  });
  expect(rowsOf(parts, 'Members')).toEqual([
    expect.objectContaining({ Email: null, Role: 'guest', 'Last seen': null, Teams: [], Spaces: [] }),
  ]);
  expect(rowsOf(parts, 'Findings')).toEqual([]);
});
