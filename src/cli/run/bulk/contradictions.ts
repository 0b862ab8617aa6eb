import { isJsonObject } from '../../../api/input-json.js';
import type { AnyOperation } from '../../../api/operation.js';
import { formatJson } from '../../../api/transport/json-text.js';
import { usageError } from '../../../base/errors.js';
import { defined } from '../../../base/values.js';
import type { Mistake, Row } from '../../../jobs/rows.js';
import { ruleOf } from '../../../jobs/undo-rules.js';
import type { PlannedCall } from '../assemble.js';
import type { CheckedRows } from './checked-rows.js';

/** Rows about the same resource: what they set must not differ, since the last would win in silence. */

/** What an earlier row sets: as JSON, and where. */
interface Set {
  value: string;
  index: number;
}

/** What the rows about one resource set, by field, and the whole requests. */
interface Known {
  fields: Map<string, Set>;
  requests: Map<string, number>;
}

/** Where a field of a row stands in the file. */
type PlaceOf = (row: Row, field: string) => Pick<Mistake, 'column' | 'name'>;

/** Moves rows that contradict each other to those with mistakes, and names those that repeat another. */
export function withoutContradictions(
  checked: CheckedRows,
  rows: readonly Row[],
  placeOf: PlaceOf,
): CheckedRows {
  const resources = new Map<string, Known>();
  const wrong = new Map<number, Mistake>();
  const repeats: Mistake[] = [];
  for (const [at, call] of checked.calls.entries()) {
    if (!sets(call.op)) continue;
    const index = checked.indexes[at] ?? at;
    const row = rows[index] as Row;
    const key = JSON.stringify([call.op.id, call.input.path]);
    const known = resources.get(key) ?? { fields: new Map(), requests: new Map() };
    resources.set(key, known);
    const request = formatJson([call.input.query, call.input.body]);
    const twin = known.requests.get(request);
    if (twin === undefined) known.requests.set(request, index);
    else repeats.push({ line: row.line, message: `repeats line ${rows[twin]?.line}.` });
    for (const [field, value] of fieldsOf(call)) {
      const first = known.fields.get(field);
      if (first === undefined) known.fields.set(field, { value, index });
      else if (first.value !== value) {
        const other = rows[first.index] as Row;
        const say = (here: Row, there: Row, own: string, its: string): Mistake => ({
          line: here.line,
          ...placeOf(here, field),
          message: `contradicts line ${there.line} for ${call.id}: ${own} here, ${its} there.`,
        });
        wrong.set(index, wrong.get(index) ?? say(row, other, value, first.value));
        wrong.set(first.index, wrong.get(first.index) ?? say(other, row, first.value, value));
      }
    }
  }
  return wrong.size === 0 ? { ...checked, repeats } : without(checked, wrong, repeats);
}

/** Whether a request sets what a resource is; others create one, or add to it. */
function sets(op: AnyOperation): boolean {
  return !ruleOf(op).creates && (op.method !== 'POST' || /\/(?:move|transfer)$/.test(op.path));
}

/** What a request sets, by dotted path. A list of a PUT adds to what is there, so two may differ. */
function fieldsOf({ op, input }: PlannedCall): [field: string, value: string][] {
  const found: [string, string][] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    } else if (!Array.isArray(value) || op.method === 'PATCH')
      found.push([path.join('.'), formatJson(value)]);
  };
  visit(input.body ?? {}, []);
  return found;
}

function without(
  { calls, inputs, indexes, mistakes, leftOut }: CheckedRows,
  wrong: ReadonlyMap<number, Mistake>,
  repeats: Mistake[],
): CheckedRows {
  const stays = (_: unknown, at: number) => !wrong.has(indexes[at] ?? at);
  const more = [...wrong].map(([index, mistake]) => {
    const id = calls[indexes.indexOf(index)]?.id ?? '';
    const details = defined({ column: mistake.column });
    return { index, id, error: usageError('contradictory_rows', mistake.message, { details }) };
  });
  return {
    calls: calls.filter(stays),
    inputs: inputs.filter(stays),
    indexes: indexes.filter((index) => !wrong.has(index)),
    mistakes: [...mistakes, ...wrong.values()].sort((a, b) => a.line - b.line),
    leftOut: [...leftOut, ...more].sort((a, b) => a.index - b.index),
    repeats,
  };
}
