import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { markerOf, teamsKey } from '../files/layout.js';
import { type CsvRow, csvHead, csvRows } from '../files/people-csv.js';
import type { Reading } from '../files/reading.js';
import type { Kind } from '../kind.js';
import type { Address, LiveItem } from '../model.js';
import type { Changes } from './changes.js';
import { membershipsAfter } from './memberships.js';
import { csvCells, type FileContent, teamsCell } from './new-files.js';

/** Changes of people.csv: rows that do not change stay as they are written. */
export function editedCsv(
  reading: Reading,
  changes: Changes,
): { path: string; content: FileContent } | undefined {
  const { peopleFile } = reading;
  const kind = reading.kind('people');
  if (peopleFile === undefined || kind === undefined) return undefined;
  const isPerson = (address: Address) => reading.items.get(address)?.kind === kind.name;
  const teams = membershipsAfter(reading, changes);
  const incoming = [...changes.added].filter((item) => item.kind === kind.name);
  const isTouched = [...changes.items.keys(), ...changes.removed].some(isPerson);
  if (!isTouched && teams.size === 0 && incoming.length === 0) return undefined;
  const content = () =>
    rewritten({ reading, changes, kind, teams, incoming, path: join(reading.folder, peopleFile) });
  return { path: peopleFile, content };
}

interface Rewriting {
  reading: Reading;
  changes: Changes;
  kind: Kind;
  teams: ReadonlyMap<Address, [string, string][]>;
  incoming: readonly LiveItem[];
  path: string;
}

async function* rewritten(rewriting: Rewriting): AsyncGenerator<Uint8Array> {
  const { changes, kind, incoming, path } = rewriting;
  const { delimiter, eol, mark } = await csvHead(path);
  const line = (cells: readonly string[]) => stringify([cells], { delimiter, record_delimiter: eol });
  const open = [...incoming].sort((a, b) => changes.tree.compare(a, b));
  const inOrder = isSorted(rewriting);
  let columns: readonly string[] = [];
  let text = mark;
  const newLines = (before?: string) => {
    while (open[0] !== undefined && (before === undefined || changes.tree.keyOf(open[0]) < before))
      text += line(csvCells(changes.tree, kind, open.shift() as LiveItem, columns));
  };
  for await (const row of csvRows(path)) {
    if (columns.length === 0) {
      columns = row.cells.map((cell) => cell.trim());
      text += row.raw + eol;
      continue;
    }
    const key = (row.cells[columns.indexOf(markerOf(kind))] ?? '').trim();
    if (inOrder && key !== '') newLines(key);
    text += rowText(rewriting, { row, key, columns, line, eol });
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  newLines();
  yield Buffer.from(text);
}

/** Whether the rows are in the order of their keys, so that new ones go between them. */
function isSorted({ reading, kind, path }: Rewriting): boolean {
  let last = '';
  for (const item of reading.items.values()) {
    if (item.kind !== kind.name || !path.endsWith(item.at.file)) continue;
    if (item.key < last) return false;
    last = item.key;
  }
  return true;
}

interface Row {
  row: CsvRow;
  key: string;
  columns: readonly string[];
  line: (cells: readonly string[]) => string;
  eol: string;
}

function rowText({ changes, kind, teams }: Rewriting, { row, key, columns, line, eol }: Row): string {
  const address: Address = `${kind.name}/${key}`;
  if (changes.removed.has(address)) return '';
  const pull = changes.items.get(address);
  const roles = teams.get(address);
  if (pull === undefined && (roles === undefined || !columns.includes(teamsKey))) return row.raw + eol;
  const cells = columns.map((name, column) => {
    if (name === teamsKey && roles !== undefined) return teamsCell(roles);
    const write = pull?.writes.find(({ field }) => field.key === name);
    if (write === undefined) return row.cells[column] ?? '';
    return (write.value ?? null) === null ? '' : String(changes.tree.fileValue(write.value));
  });
  return line(cells);
}
