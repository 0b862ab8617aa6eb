import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type KindRow, kindTable } from '../../../src/organization/kinds/table.js';

/** What the guide says of each kind is what its declaration says. DOCS_RECORD=1 writes it anew. */

const path = 'docs/guide/organization-as-code.md';
const [begin, end] = [/<!-- derived from src\/organization\/kinds: .* -->\n/, '<!-- end -->'];

const code = (word: string): string => `\`${word}\``;
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;

function rowOf({ title, file, fields, creates, deletes, moves }: KindRow): string {
  const can = [creates && 'create', deletes && 'delete', moves && 'move'].filter((verb) => verb !== false);
  const verbs = ['change', ...can].join(', ');
  return `| ${sentence(title).slice(0, -1)} | ${code(file)} | ${fields.map(code).join(', ')} | ${verbs} |`;
}

function limitsOf({ title, cannot, leftOut }: KindRow): string[] {
  const left = Object.entries(leftOut).map(
    ([field, why]) => `not in the files: ${code(field)}, since ${why}.`,
  );
  const all = [...cannot, ...left].map(sentence);
  return all.length === 0 ? [] : [`| ${sentence(title).slice(0, -1)} | ${all.join('<br>')} |`];
}

function section(rows: readonly KindRow[]): string {
  return [
    '',
    '| Items | File | Fields | docs can |',
    '|---|---|---|---|',
    ...rows.map(rowOf),
    '',
    'What docs cannot do is a finding in the plan:',
    '',
    '| Items | Limitations |',
    '|---|---|',
    ...rows.flatMap(limitsOf),
    '',
    '',
  ].join('\n');
}

it('the table of the guide is that of the kinds', () => {
  const page = readFileSync(path, 'utf8');
  const [marker = ''] = begin.exec(page) ?? [];
  const from = page.indexOf(marker) + marker.length;
  const to = page.indexOf(end, from);
  expect(marker).not.toBe('');
  const wanted = section(kindTable());
  if (process.env.DOCS_RECORD === '1') writeFileSync(path, page.slice(0, from) + wanted + page.slice(to));
  else expect(page.slice(from, to)).toBe(wanted);
});
