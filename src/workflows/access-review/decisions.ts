import { roles } from '../../api/shapes.js';
import { usageError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import { nearest } from '../../base/nearest.js';
import type { Cell, Mistake, Row, Rows } from '../../jobs/rows.js';
import { type Name, namesIn } from '../offboard/people.js';

/** `keep`, `remove` or `role=…`. */
export type Decision = { is: 'keep' } | { is: 'remove' } | { is: 'role'; role: string | null };

export interface Decided {
  name: Name;
  index: number;
  decision: Decision;
  /** The role at the time of the review; undefined where the file has none. */
  reviewedRole?: string | null;
  place: Pick<Mistake, 'line' | 'column' | 'name'>;
}

/** A mistake, and the index of its row in the file. */
export type Misplaced = Mistake & { index: number };

export interface Decisions {
  decided: Decided[];
  undecided: number;
  mistakes: Misplaced[];
}

/**
 * Reads the decisions of a file.
 * @throws DocsError usage `missing_column`; `bad_rows` where a row names no member
 */
export function decisionsIn(rows: Rows): Decisions {
  const has = (name: string) => rows.header?.cells.some((cell) => sameName(cell.name, name));
  if (rows.header !== undefined && !has('decision')) {
    const message = `Line ${rows.header.line}: missing column decision, which docs members review -o csv writes.`;
    throw usageError('missing_column', message);
  }
  const { names } = namesIn(rows);
  const found: Decisions = { decided: [], undecided: 0, mistakes: [] };
  for (const [index, row] of rows.rows.entries()) {
    const name = names[index] as Name;
    const cell = row.cells.find((one) => sameName(one.name, 'decision'));
    const place = placeOf(row, cell);
    const read = cell === undefined ? undefined : decisionOf(cell.value);
    if (read === undefined) found.undecided += 1;
    else if (typeof read === 'string') found.mistakes.push({ index, ...place, message: read });
    else found.decided.push({ name, index, decision: read, place, ...reviewed(row, has('role') ?? false) });
  }
  return found;
}

function placeOf({ line }: Row, cell: Cell | undefined): Decided['place'] {
  return { line, name: 'decision', ...(cell !== undefined && cell.column > 0 && { column: cell.column }) };
}

/** @returns undefined where the cell is empty; what is wrong, as a sentence */
function decisionOf(value: unknown): Decision | string | undefined {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === '' || text === null) return undefined;
  if (text === 'keep' || text === 'remove') return { is: text };
  const role = typeof text === 'string' ? /^role\s*=\s*(.*)$/.exec(text)?.[1] : undefined;
  if (role === undefined)
    return `invalid decision ${JSON.stringify(value)}; expected keep, remove or role=<role>.`;
  if (role === 'none' || role === 'guest') return { is: 'role', role: null };
  const known: readonly string[] = roles;
  if (known.includes(role)) return { is: 'role', role };
  const meant = nearest(role, known);
  const near = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `unknown role ${JSON.stringify(role)}; expected one of ${known.join(', ')}, none.${near}`;
}

/** The role at the time of the review: of guests the cell is empty, or `guest`. */
function reviewed({ cells }: Row, hasColumn: boolean): { reviewedRole?: string | null } {
  const { value } = cells.find(({ name }) => sameName(name, 'role')) ?? {
    value: hasColumn ? null : undefined,
  };
  if (value === null) return { reviewedRole: null };
  if (typeof value !== 'string') return {};
  const role = value.trim().toLowerCase();
  return { reviewedRole: ['', 'guest', 'none'].includes(role) ? null : role };
}
