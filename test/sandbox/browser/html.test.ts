import { expect, test } from 'vitest';
import { facts } from '../../../src/browser/parts.js';

test('facts without a value are left out', () => {
  const shown = facts([
    ['Plan', ''],
    ['Owner', undefined],
    ['Pages', 0],
  ]).text;
  expect(shown).toBe('<dl class="facts"><div><dt>Pages</dt><dd>0</dd></div></dl>');
});
