import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { sandboxHome } from './sandbox-home.js';

/** Reports that a terminal draws; what a pipe gets is the same as without the drawing. */

const { home, docs, sandbox } = await sandboxHome();
const screen = async (args: string[], columns = 80) => {
  const { code, screen: text } = await docs(args, { columns, rows: 200 }).ended;
  expect(code).toBe(0);
  return text;
};
const requestsOf = async (run: () => Promise<unknown>) => {
  const before = sandbox.control.requests().length;
  await run();
  return sandbox.control
    .requests()
    .slice(before)
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted();
};

describe.each([60, 80, 120])('at %i columns', (columns) => {
  it.each([
    ['overview', ['overview']],
    ['access matrix', ['access', 'matrix']],
    ['access explain', ['access', 'explain', 'chiara@acme.example', `space:${seedId('space api')}`]],
    ['impact', ['impact', 'delete', 'space', seedId('space guide')]],
  ])('%s fits', async (_name, words) => {
    const text = await screen(words, columns);
    expect(text.split('\n').filter((line) => line.length > columns && !line.includes('https:'))).toEqual([]);
  });
});

it('the overview has what needs its reader, its numbers and its shares; a pipe has its rows', async () => {
  expect(await screen(['overview'])).toMatch(/^Acme Docs: nothing needs you\n\n7 /);
  await sandbox.control.clock.shift(100 * 86_400_000);
  const text = await screen(['overview']);
  expect(text).toMatch(/^Acme Docs: \d+ things? needs? you\n\n! Stale: 1 .*\n? +docs cr stale --list\n/);
  expect(text).toMatch(/\n7 +5 +/);
  expect(text).toMatch(/Who can do what\n {2}admin +1 {2}█/);
  expect(text).toMatch(/Members +7 +docs members list/);
  expect((await home.ok(['overview'])).split('\n')[1]).toMatch(/^members\tok\t7: 1 admin/);
});

it('a matrix is folded, with whom no role explains on top; a pipe has each pair', async () => {
  const words = ['access', 'matrix'];
  const text = await screen(words, 120);
  expect(text).toMatch(/Unlike all others: a grant gives the \[role\]\nGoran Novak guest +.*\[read\]/);
  expect(text).toMatch(/Ada Okafor role admin +admin/);
  expect((await home.ok(words)).trim().split('\n')).toHaveLength(35);
  expect(await requestsOf(() => screen(words))).toEqual(await requestsOf(() => home.ok(words)));
});

it('a matrix with a limit, or as a table, has a row a person', async () => {
  expect(await screen(['access', 'matrix', '--limit', '2'])).toMatch(/^PERSON/);
  expect(await screen(['access', 'matrix', '-o', 'table'])).toMatch(/^PERSON/);
});

it('an explanation is a ladder that ends in the role', async () => {
  const text = await screen(['access', 'explain', 'goran@acme.example', `space:${seedId('space guide')}`]);
  expect(text).toMatch(/│ → grants +read +to them/);
  expect(text).toContain('└ read, by grants\n');
});

it('a comparison of backups has what is removed first, and its sum at the end', async () => {
  await home.ok(['backup', 'run', '--out', 'a']);
  await home.ok(['spaces', 'delete', seedId('space board'), '--yes']);
  await home.ok(['teams', 'create', '--title', 'Readers']);
  await home.ok(['backup', 'run', '--out', 'b']);
  const text = await screen(['backup', 'diff', 'a', 'b']);
  expect(text).toMatch(/^✗ Cannot be undone: space Board Notes was removed/);
  expect(text).toMatch(/Board Notes \| Cannot be undone\n[\s\S]*\n {2}\+ Readers\n/);
  expect(text).toMatch(/\n\d+ differences in Acme Docs: 1 removed, 1 added/);
  expect((await home.ok(['backup', 'diff', 'a', 'b'])).split('\n')[0]).toMatch(
    /^removed\tspace\tBoard Notes/,
  );
  expect(await screen(['backup', 'diff', 'b', 'b'])).toBe('No differences in Acme Docs');
});

it('a plan has its bar, equal changes as one, and its sum again as the last line of the plan', async () => {
  await home.ok(['pull']);
  const file = join(home.path, 'org', 'people.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/role: (?:comment|create|review)/g, 'role: edit'));
  const shown = await screen(['plan']);
  expect(shown).toMatch(/^Plan for Acme Docs: (.*)\n[\s\S]*\nPlan for Acme Docs: \1\n/);
  expect(shown).toContain('\n~~~  ~3 change\n');
  const piped = await home.ok(['plan']);
  expect(piped.match(/^Plan for/gm)).toHaveLength(1);
  expect(piped).not.toContain('~~~');
});

it('a plan folds equal changes; with --full, from a file and in a dry run each has its request', async () => {
  const file = join(home.path, 'org', 'people.yaml');
  const setRoles = (role: string) =>
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/role: (?!admin)\w+/g, `role: ${role}`));
  setRoles('comment');
  await home.ok(['apply', '--yes']);
  setRoles('edit');
  const requests = (text: string) => text.match(/PATCH \/v1\/orgs\/\w+\/members\/\w/g)?.length ?? 0;
  const folded = await screen(['plan'], 120);
  expect(folded).toMatch(/~ \d alike {2}role: comment → edit\n/);
  expect(requests(folded)).toBe(0);
  const apart = requests(await screen(['plan', '--full'], 120));
  expect(apart).toBeGreaterThan(3);
  await home.ok(['plan', '--save-plan', 'plan.json']);
  for (const words of [
    ['plan', 'show', 'plan.json'],
    ['apply', '--dry-run'],
  ])
    expect(requests(await screen(words, 120))).toBe(apart);
  expect(requests(await home.ok(['plan']))).toBe(apart);
});
