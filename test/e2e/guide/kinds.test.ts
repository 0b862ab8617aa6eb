import { it } from 'vitest';
import { type KindRow, kindTable } from '../../../src/organization/kinds/index.js';
import { code, holdSection, sentence } from './derived.js';

/** What the guide says of each kind is what its declaration says. DOCS_RECORD=1 writes it anew. */

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
    'Changes that docs cannot make appear as findings in the plan:',
    '',
    '| Items | Limitations |',
    '|---|---|',
    ...rows.flatMap(limitsOf),
    '',
    '',
  ].join('\n');
}

it('the table of the guide is that of the kinds', () => {
  holdSection('docs/guide/organization-as-code.md', 'src/organization/kinds', section(kindTable()));
});
