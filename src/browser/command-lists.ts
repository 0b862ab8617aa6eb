import type { Client, Listing } from '../api/client.js';
import type { AnyOperation, Input } from '../api/operation.js';
import { commandAt } from '../cli/declare/outline.js';
import { viewOf } from '../cli/declare/shown.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import type { View as Columns } from '../output/printer.js';
import { cellHtml, command } from '../reports/markup.js';
import { rowsPart } from '../reports/rows-part.js';
import { placed } from './actions.js';
import { cutOf, name, pageLinks, pageQuery, table } from './parts.js';
import type { Visit } from './visit.js';

/** Lists as commands print them: from its declaration comes what is asked and which columns it has. */

export type Item = Readonly<Record<string, unknown>>;

/** A list of any kind. */
type ListOperation = AnyOperation & { returns: { kind: 'page' } };

export interface CommandList {
  /** Words of the command: `teams list`. */
  words: string;
  /** What names an item of its path, such as `teamId`, by the value of it. */
  path: Readonly<Record<string, string>>;
  /** The page of an item. */
  href?: ((item: Item) => string) | undefined;
}

export interface OpenedList {
  ask(client: Client, query: Readonly<Record<string, unknown>>): Listing<Item>;
  shown(items: readonly Item[]): { heads: readonly string[]; rows: readonly (readonly HtmlPart[])[] };
}

export async function openList({ settings, parts }: Visit, list: CommandList): Promise<OpenedList> {
  const { command: declared } = await commandAt(settings.groups, list.words);
  const [op] = declared.operations;
  if (op?.returns.kind !== 'page') throw new Error(`docs ${list.words} is not a list.`);
  const columns = viewOf(declared, op);
  return {
    ask: (client, query) =>
      client.call(op as ListOperation, { path: list.path, query } as Input<ListOperation>) as Listing<Item>,
    shown: (items) => shown(list, columns, items, parts.clock.now()),
  };
}

function shown(
  { words, href }: CommandList,
  columns: Columns,
  items: readonly Item[],
  nowMs: number,
): ReturnType<OpenedList['shown']> {
  const part = rowsPart(words, items, columns);
  const rows = part.rows.map((row, at) =>
    row.map((cell, column): HtmlPart => {
      const own = cellHtml(cell, part.columns[column]?.as ?? 'text', { nowMs });
      const item = items[at];
      if (column > 0 || typeof cell !== 'string' || item === undefined) return own;
      return href === undefined ? name(cell) : html`<a href="${href(item)}">${name(cell)}</a>`;
    }),
  );
  return { heads: part.columns.map(({ label }) => label), rows };
}

/**
 * The page of a list that is asked for, below the command that prints it.
 * @param query what else is asked, as the flags of the command
 */
export async function listHtml(
  visit: Visit,
  client: Client,
  list: CommandList,
  query: Readonly<Record<string, string>> = {},
): Promise<Html> {
  const opened = await openList(visit, list);
  const page = visit.query.get('page') ?? undefined;
  const cut = await cutOf(opened.ask(client, { ...pageQuery(page), ...query }));
  const { heads, rows } = opened.shown(cut.items);
  const { organizationId: _, ...named } = list.path;
  const flags = Object.entries(query).flatMap(([flag, value]) => [`--${flag}`, value]);
  const typed = [...list.words.split(' '), ...Object.values(named), ...flags];
  const shownRows =
    rows.length === 0 ? html`<p class="empty">Nothing here.</p>` : table(list.words, heads, rows);
  return html`<p>${command(placed(typed, visit.settings))}</p>${shownRows}${pageLinks(cut, visit.at, { ...query, page })}`;
}
