import { it } from 'vitest';
import { restoreParts } from '../../../src/model/resources.js';
import { never, restoring } from '../../../src/restore/lacks.js';
import { copyDifferences, notInCopies } from '../../../src/sandbox/copy/differences.js';
import { code, holdSection, sentence } from './derived.js';

/** What the guide says of restores and copies is what their declarations say. DOCS_RECORD=1 writes it anew. */

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${'---|'.repeat(head.length)}`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];
const section = (lines: readonly string[]): string => ['', ...lines, '', ''].join('\n');
const cell = (lines: readonly string[]): string => [...new Set(lines)].join('<br>');
const lacking = ({ what, why }: { what: string; why: string }): string =>
  `${sentence(what).slice(0, -1)}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;

it('the tables of restores are those of src/restore', () => {
  const kinds = Object.values(restoring);
  const rows = restoreParts.map((part) => {
    const own = kinds.filter(({ by }) => by?.part === part);
    const how = own.flatMap(({ by }) => sentence(by?.how.replace(/ through the plan\.$/, '') ?? ''));
    return [code(part), cell(how), cell(own.flatMap(({ cannot = [] }) => cannot.map(lacking)))];
  });
  const nothing = kinds.flatMap(({ by, cannot = [] }) => (by === undefined ? cannot : []));
  const lost = [...nothing, ...never].map(({ what, why }) => [sentence(what).slice(0, -1), why]);
  const lines = [
    ...table([code('--only'), 'Comes back', 'Does not come back'], rows),
    '',
    'This never comes back:',
    '',
    ...table(['What', 'Why'], lost),
  ];
  holdSection('docs/guide/restore.md', 'src/restore/lacks.ts', section(lines));
});

it('the table of copies is that of src/sandbox/copy/differences.ts', () => {
  const fields = copyDifferences.map(({ files, field, why }) => [`${code(field)} in ${filesOf(files)}`, why]);
  const missing = notInCopies.map(({ what, why }) => [sentence(what).slice(0, -1), why]);
  const lines = table(['Differs', 'Why'], [...missing, ...fields]);
  holdSection('docs/guide/sandbox.md', 'src/sandbox/copy/differences.ts', section(lines));
});

const shown: Readonly<Record<string, string>> = {
  '^openapi\\/[^/]+\\/(?:versions|content)\\.json$': 'versions and contents of specs',
  '(?:^|\\/)manifest\\.json$': 'manifests of backups',
};

function filesOf({ source }: RegExp): string {
  const words = shown[source];
  if (words === undefined) throw new Error(`${source}: say in this test what files these are`);
  return words;
}
