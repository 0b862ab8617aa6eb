import { expect, test } from 'vitest';
import { valueLoss } from '../../../src/access/impact/transfer.js';

test.each([
  ['no field of the name', 'text', 'a', {}, { kept: [], why: 'no-field' }],
  ['a field of another type', 'text', 'a', { type: 'url' }, { kept: [], why: 'other-type' }],
  ['the same type', 'text', 'a', { type: 'text' }, undefined],
  ['a choice without options', 'select', 'a', { type: 'select' }, undefined],
  ['an option that is there', 'select', 'a', { type: 'select', options: ['a', 'b'] }, undefined],
  ['one that is not', 'select', 'a', { type: 'select', options: ['b'] }, { kept: [], why: 'options' }],
  [
    'some of several',
    'multiselect',
    ['a', 'b'],
    { type: 'multiselect', options: ['b'] },
    { kept: ['b'], why: 'options' },
  ],
  [
    'none of several',
    'multiselect',
    ['a'],
    { type: 'multiselect', options: ['b'] },
    { kept: [], why: 'options' },
  ],
  ['options of a text are not compared', 'text', 'a', { type: 'text', options: ['b'] }, undefined],
])('a value where the target has %s', (_, type, value, field, loss) => {
  const fields = new Map(
    'type' in field
      ? [['f', { type: String(field.type), ...('options' in field && { options: field.options }) }]]
      : [],
  );
  expect(valueLoss({ name: 'f', type }, value, fields)).toEqual(loss);
});
