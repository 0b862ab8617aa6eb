import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFiles } from '../../../src/organization/files/read.js';
import type { Reading } from '../../../src/organization/files/reading.js';
import { fakeIo } from '../../fake-io.js';

const folder = mkdtempSync(join(tmpdir(), 'docs-people-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const head = '# A comment\nmanage: additive\nmemberships: exact\npeople:\n';
const ada = '  - email: ada@acme.example\n    role: admin\n    teams: [writers, editors]\n';
const bo =
  '  - email: bo.b+x@acme.example\n    role: read\n    sso: true\n    teams: {writers: owner, a-b: member}\n';
const cy = '  - email: cy@acme.example\n';

/** In the form of pull, nearly so, and wrong. */
const texts = {
  usual: head + ada + bo + cy,
  'no role': `${head + cy}    teams: [writers]\n`,
  'a role that does not exist': `${head}  - email: x@acme.example\n    role: king\n`,
  'a role in a team that does not exist': `${head + cy}    teams: {writers: king}\n`,
  'a team that is another value': `${head + cy}    teams: [true, null]\n`,
  'a team that is there twice': `${head + cy}    teams: {writers: owner, writers: member}\n`,
  'a person who is there twice': head + ada + cy + ada,
  'the same person in capitals': `${head + cy}  - email: CY@acme.example\n`,
  'other order': `${head}  - role: admin\n    email: ada@acme.example\n`,
  'other keys': `${head + cy}    was: old@acme.example\n    protected: true\n    rolle: x\n`,
  'a comment between': `${head + ada}  # here\n${cy}`,
  'something after the list': `${head + ada}other: 1\n`,
  'a list that is there twice': `${head + ada}people:\n${cy}`,
  'no line break at the end': (head + ada).trimEnd(),
  'an empty list': head,
  'a team without a place': `${head + cy}    teams: [writers,editors]\n`,
  'a list of no teams': `${head + cy}    teams: []\n`,
  'a number for a team': `${head + cy}    teams: [1]\n`,
  'an address with a colon': `${head}  - email: cy:@acme.example\n`,
};

test.each(Object.entries(texts))('people are read as from the tree: %s', async (_, text) => {
  writeFileSync(join(folder, 'org.yaml'), 'organization:\n  title: Acme\n');
  writeFileSync(join(folder, 'teams.yaml'), 'teams:\n  - key: writers\n  - key: editors\n  - key: a-b\n');
  writeFileSync(join(folder, 'people.yaml'), text);
  const [lines, tree] = await Promise.all([false, true].map((edited) => readFiles(fakeIo(), folder, edited)));
  expect(told(lines as Reading)).toEqual(told(tree as Reading));
});

function told({ items, mistakes, scopes, lists }: Reading) {
  const shown = [...items.values()].map((item) => {
    const { kind, address, key, parent, index, fields, was, at, places } = item;
    const { protected: kept, external } = item;
    return { kind, address, key, parent, index, fields, was, kept, external, at, places };
  });
  return {
    shown,
    mistakes,
    scopes,
    lists: lists.map(({ file, kinds }) => [file, kinds.map(({ name }) => name)]),
  };
}
