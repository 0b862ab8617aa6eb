import type { DocsError } from '../../base/errors.js';
import { type Cell, type ColumnKind, type Document, type Need, tablePart } from '../../document/document.js';
import { columnText, columnValue } from '../../output/cells.js';
import {
  type ColumnSource,
  type Kind,
  type ResolvedColumn,
  resolveColumns,
  sentenceLabel,
} from '../../output/columns.js';
import type { Page } from '../../output/printer.js';
import type { Session } from '../declare/session.js';
import { placeFacts } from './report-page.js';

/** The page of a report that has rows and no document of its own: its columns as a table. */

/** Kinds of columns that a page writes otherwise than as text; the others are texts as in a pipe. */
const kinds: Partial<Record<Kind, ColumnKind>> = {
  role: 'role',
  state: 'state',
  age: 'time',
  bytes: 'bytes',
  count: 'count',
  yesno: 'yesno',
  id: 'id',
};

/**
 * @param title what the command is for
 * @param items rows, or a single value
 */
export function rowsPage(title: string, items: readonly unknown[], view: ColumnSource): Document {
  const columns = resolveColumns(view, undefined);
  const named = Object.fromEntries(
    columns.map((column) => [sentenceLabel(column.label), kindOf(column, items)] as const),
  );
  const rows = items.map((item) =>
    columns.map((column) => cellOf(columnValue(item, column), columnText(item, column))),
  );
  const part = tablePart(title, named, { rows, empty: 'Nothing was found.' });
  return { title, parts: [part] };
}

/** As declared, or a time where all values are. */
function kindOf(column: ResolvedColumn, items: readonly unknown[]): ColumnKind {
  const declared = kinds[column.as ?? 'text'];
  if (declared !== undefined) return declared;
  const texts = items.map((item) => columnText(item, column)).filter((text) => text !== '');
  return texts.length > 0 && texts.every((text) => isoTime.test(text)) ? 'time' : 'text';
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function cellOf(value: unknown, text: string): Cell {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return text === '' ? null : text;
}

/** How a report ends; see `ReportEnding`. */
interface Ending {
  warnings?: readonly string[];
  note?: string;
  failure?: DocsError;
}

/**
 * How a report ends, as the head of its page: the first sentence is the answer, and the others follow it. What a terminal
 * warns of is what was not read, or asks for the reader.
 */
export function answered({ note, failure, warnings = [] }: Ending, session: Session): Partial<Document> {
  const facts = placeFacts(session, session.settings.org?.value ?? '');
  const missing = failure?.kind === 'partial' ? warnings : [];
  const needs = warnings.filter((line) => !missing.includes(line));
  const told = {
    ...(missing.length > 0 && { missing }),
    ...(needs.length > 0 && { needs: needs.map((text): Need => ({ severity: 'attention', text })) }),
  };
  const ending = note ?? failure?.message;
  if (ending === undefined) return { facts, ...told };
  const [first = '', ...about] = ending.split(/(?<=[.!?]) (?=[A-Z0-9])/);
  const headline = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, '');
  return { headline, about, facts, ...told };
}

type Items = readonly unknown[] | AsyncIterable<Page>;

/** Rows, kept as they pass. */
export function keptItems(items: Items, kept: unknown[]): Items {
  if (isPaged(items)) return keptPages(items, kept);
  kept.push(...items);
  return items;
}

function isPaged(items: Items): items is AsyncIterable<Page> {
  return Symbol.asyncIterator in items;
}

async function* keptPages(pages: AsyncIterable<Page>, kept: unknown[]): AsyncGenerator<Page> {
  for await (const page of pages) {
    kept.push(...page.items);
    yield page;
  }
}
