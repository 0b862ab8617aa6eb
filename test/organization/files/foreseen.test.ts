import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { foreseen } from '../../../src/organization/files/foreseen.js';

const folder = mkdtempSync(join(tmpdir(), 'docs-foreseen-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function named(files: Readonly<Record<string, string>>): string[] | undefined {
  for (const [path, text] of Object.entries({ 'sites/x.yaml': 'site:\n  type: plain\n', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const found = foreseen(folder);
  return found && [...found].sort();
}

it('tells kinds and fields that files name', () => {
  const library =
    'library:\n  - collection: a\n    contents:\n      - space: b\n        fields: {tier: Gold}\n';
  const people = 'people:\n  - email: ada@acme.example\n    role: admin\n    teams: [writers]\n';
  const found = named({ 'library.yaml': library, 'people.yaml': people });
  expect(found).toEqual(
    expect.arrayContaining(['collections', 'memberships', 'people', 'sites', 'spaces', 'spaces fields']),
  );
  expect(found).not.toContain('teams');
  expect(found).not.toContain('sites default');
});

it('tells nothing of empty lists, nor of what only looks like items in a text', () => {
  const found = named({
    'teams.yaml': 'teams: []\n',
    'fields.yaml': 'fields:\n  - name: tier\n    description: |\n      - space: x\n      - email: y\n',
    'library.yaml': 'library:\n  - collection: a\n    description: |-\n      - space: x\n    title: A\n',
  });
  expect(found).toEqual(expect.arrayContaining(['fields', 'collections', 'collections title']));
  expect(found).not.toContain('spaces');
  expect(found).not.toContain('teams');
});

it.each([
  ['manage: exact\nteams: []\n', 'teams.yaml'],
  ['people: !file people.csv\n', 'people.yaml'],
])('leaves %j to the parser', (text, file) => {
  expect(named({ [file]: text })).toBeUndefined();
});
