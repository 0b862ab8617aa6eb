import { expect, it, test } from 'vitest';
import { conforms, createChecker } from '../../src/api/check.js';
import type { TSchema } from '../../src/api/type.js';
import { operationOf } from '../../src/organization/files/values.js';
import { kinds } from '../../src/organization/kinds/index.js';

const values: unknown[] = [
  ...['', 'a', 'admin', 'guest', 'none', 'x'.repeat(50), 'x'.repeat(51), '😀'.repeat(50), 'x'.repeat(3000)],
  ...['https://a.example', 'no url', '1f600', 'my-name', 'My Name', '.example'],
  ...[null, true, false, 0, -1, 1.5, [], ['a'], ['a', 'a'], [1], [''], Array(101).fill('x')],
  ...[{}, { a: 1 }, { a: 'b' }, { tier: ['Gold'] }, { url: 'https://a.example' }, { enabled: true }],
  ...[{ type: 'object', properties: {} }, { language: 'en' }],
];

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  'of %s, the fields conform where Ajv says so',
  async (_, kind) => {
    const check = await createChecker({ knownOnly: false });
    const op = operationOf(kind);
    for (const { key } of kind.fields) {
      for (const value of values) {
        const body = { [key]: value };
        const issues = check(op, { body });
        expect([key, value, conforms(op.body, body)]).toEqual([key, value, issues.length === 0]);
      }
    }
  },
);

it('refuses keywords that it does not know, rather than pass over them', () => {
  expect(() => conforms({ multipleOf: 2 } as unknown as TSchema, 3)).toThrow('multipleOf');
});
