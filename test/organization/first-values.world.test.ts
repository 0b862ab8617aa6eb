import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { customFieldTypes } from '../../src/api/resources/custom-fields.js';
import { type OrgWorld, openOrgWorld } from '../commands/members/org-world.js';

/** A custom field and its first values in one edit of the files. */

let world: OrgWorld;
beforeEach(async () => {
  world = await openOrgWorld();
  expect(await world.run(['pull'])).toMatchObject({ code: 0 });
});
afterEach(() => world.close());

function change(file: string, from: RegExp | string, to: string): void {
  const path = join(world.home, 'org', file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

/** A value that sets the field, and one that leaves it as a new field is where its type has such a value. */
const values: Readonly<Record<(typeof customFieldTypes)[number], readonly [string, string]>> = {
  text: ['hello', '""'],
  number: ['3', '0'],
  boolean: ['false', 'true'],
  select: ['x', 'y'],
  multiselect: ['[x, y]', '[]'],
  url: ['https://x.example', 'https://y.example'],
  date: ['2030-01-01', '"2031-01-01"'],
};

function addFields(types: readonly string[]): void {
  const entries = types.map(
    (type) =>
      `  - {name: new-${type}, type: ${type}, title: New${/select/.test(type) ? ', options: [x, y]' : ''}}`,
  );
  change('fields.yaml', /(?:^fields: \[\])?\n*$/, `\n${entries.join('\n')}\n`);
}

function setValues(at: 0 | 1, space: string): void {
  const entries = customFieldTypes.map((type) => `new-${type}: ${values[type][at]}`);
  change('library.yaml', new RegExp(`( *)- space: ${space}\n`), `$&$1  fields: {${entries.join(', ')}}\n`);
}

describe('a new custom field and its first value', () => {
  test.each([0, 1] as const)('are applied at once, whatever the type (%i)', async (at) => {
    addFields(customFieldTypes);
    setValues(at, 'welcome');
    const applied = await world.run(['apply', '--yes']);
    expect({ code: applied.code, failed: /failed/.test(applied.stdout) }).toEqual({ code: 0, failed: false });
    expect((await world.run(['plan', '--exit-code'])).code).toBe(0);
    expect(await world.run(['undo', 'last', '--yes'])).toMatchObject({ code: 0 });
    expect((await world.run(['custom-fields', 'list', '-o', 'id'])).stdout).not.toContain('new-');
  });

  test('of a type that the platform does not have is a finding, and nothing is planned for it', async () => {
    addFields(['person']);
    change('library.yaml', /( *)- space: welcome\n/, '$&$1  fields: {new-person: ada}\n');
    const { code, stdout } = await world.run(['plan', '--exit-code', '--json']);
    expect(code).toBe(17);
    const { operations } = JSON.parse(stdout) as {
      operations: { key: string; finding?: { message: string } }[];
    };
    expect(operations.map(({ key, finding }) => [key, finding?.message])).toEqual([
      ['new-person', 'The platform has no custom fields of the type person.'],
      ['welcome', expect.stringContaining('needs fields/new-person')],
    ]);
  });
});
