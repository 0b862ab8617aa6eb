import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxHome } from './sandbox-home.js';

/** A job of many items: a terminal shows those that say something and a count, a pipe a line an item. */

const { home, docs, sandbox } = await sandboxHome();
const file = join(home.path, 'teams.csv');
const titles = Array.from({ length: 24 }, (_, index) => `Crew ${index + 1}`);
const create = ['bulk', 'teams', 'create', '--from', file, '--yes'];

test('on a terminal: what failed, and how many did not', async () => {
  writeFileSync(file, ['title', ...titles, ''].join('\n'));
  sandbox.control.faults.add({ match: 'PUT /v1/orgs/*/teams', status: 422, times: 1 });
  const { code, screen } = await docs(create, { columns: 100 }).ended;
  expect(code).toBe(3);
  expect(screen).toMatch(/^ID +STATUS +ERROR$/m);
  expect(screen).toMatch(/ failed /);
  expect(screen).not.toMatch(/ ok\b *$/m);
  expect(screen).toMatch(/23 of 24 ok; to list them, run docs jobs show \S+\./);
});

test('of a job that did all, and of its undo, the count alone', async () => {
  writeFileSync(file, ['title', ...titles.map((title) => `${title} b`), ''].join('\n'));
  const made = await docs(create, { columns: 100 }).ended;
  expect(made.code).toBe(0);
  expect(made.screen).toMatch(/24 of 24 ok; to list them/);
  expect(made.screen).not.toMatch(/STATUS/);
  const undone = await docs(['undo', 'last', '--yes'], { columns: 100 }).ended;
  expect(undone.code).toBe(0);
  expect(undone.screen).toMatch(/24 of 24 ok; to list them/);
  expect(undone.screen).not.toMatch(/RESTORED/);
  expect(undone.screen).toMatch(/Undid job/);
});

test('in a pipe, with --fields and with -o table: a line an item', async () => {
  writeFileSync(file, ['title', ...titles.map((title) => `${title} c`), ''].join('\n'));
  expect((await home.ok(create)).match(/\tok\t/g)).toHaveLength(24);
  expect((await home.ok(['undo', 'last', '--yes'])).match(/\tok\t/g)).toHaveLength(24);
  writeFileSync(file, ['title', ...titles.map((title) => `${title} d`), ''].join('\n'));
  const { screen } = await docs([...create, '-o', 'table'], { columns: 100, rows: 60 }).ended;
  expect(screen.match(/ ok *$/gm)).toHaveLength(24);
});
