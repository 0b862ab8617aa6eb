import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { opened } from '../opened.js';
import { openRefusing } from '../organization/pull/refusing.js';
import { seedId } from '../sandbox/client.js';

/** `docs plan` reads the field values of the spaces whose entries have `fields`, and of no others. */

const world = opened(() => openRefusing('tiny'));
let whole: string;
beforeAll(async () => {
  whole = world.home();
  expect(await world.docs(['pull', '--json'], whole)).toMatchObject({ code: 0 });
});

/** A folder in which one space has values, one of which was edited. */
function edited(change: (folder: string) => void = () => {}): string {
  const home = world.home(whole);
  const folder = join(home, 'org');
  const file = join(folder, 'library.yaml');
  const bare = readFileSync(file, 'utf8').replace(/^( +)fields:\n(?:\1 +.*\n)+/gm, '');
  const values = (_: string, indent: string) =>
    `${indent}- space: product-guide\n${indent}  fields:\n${indent}    topics: [billing]\n`;
  writeFileSync(file, bare.replace(/^( +)- space: product-guide\n/m, values));
  change(folder);
  return home;
}

async function planned(home: string) {
  const before = world.requests.length;
  const { code, stdout, stderr } = await world.docs(['plan', '--json'], home);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const asked = world.requests.slice(before).filter((line) => /\/spaces\/\w+\/custom-fields/.test(line));
  const { operations } = JSON.parse(stdout) as { operations: { key: string; fields: object }[] };
  return { asked, changes: operations.map(({ key, fields }) => [key, Object.keys(fields)]) };
}

const changes = [['product-guide', ['fields.topics']]];
const asked = [expect.stringContaining(seedId('space guide'))];

test('with the lock', async () => {
  expect(await planned(edited())).toEqual({ asked, changes });
});

test('without the lock, by the title', async () => {
  const home = edited((folder) => rmSync(join(folder, 'docs.lock.json')));
  expect(await planned(home)).toEqual({ asked, changes });
});

test('with a lock whose id is gone, by the title', async () => {
  const home = edited((folder) => {
    const lock = join(folder, 'docs.lock.json');
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(seedId('space guide'), 'gone'));
  });
  expect(await planned(home)).toEqual({ asked, changes });
});
