import type { AnyOperation } from '../api/operation.js';
import { type Operated, operationAt } from '../api/resources/index.js';
import { shellWord } from '../base/shell-word.js';
import type { GroupEntry } from '../cli/declare/command.js';
import { atPlace } from '../cli/declare/global-flags.js';
import {
  type CommandOutline,
  isOfOperations,
  type OptionOutline,
  outlineTree,
} from '../cli/declare/outline.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { safeLine } from '../output/text.js';
import type { Database } from '../sandbox/store/database.js';
import { requestsPath, withQuery } from './parts.js';
import type { View } from './visit.js';

/** The requests that the sandbox was sent, as they come: the script of the pages asks for the rows that are new. */

const rowsPath = `${requestsPath}/rows`;

/** Rows that are shown at first, and that are sent at once. */
const mostRows = 200;

interface Row extends Copies {
  seq: number;
  method: string;
  path: string;
  status: number;
  /** As in answers, by the clock of the sandbox. */
  time: string;
}

export function requestsView(finder: () => Promise<CommandFinder>): View {
  return async ({ parts: { db, origin } }) => {
    const rows = readRows(db, await finder(), origin(), 0);
    const next = withQuery(rowsPath, { after: String(rows[0]?.seq ?? lastSeq(db)) });
    const heads = ['Request', 'Status', 'Time', 'Copy'].map((head) => html`<th scope="col">${head}</th>`);
    const body = html`<p class="lead">Requests to the API, the latest first. Visits of these pages are not among them.
Copied lines contain no token, and <code>body.json</code> stands for a body: the log keeps none.</p>
<form class="tools" role="search" data-filter hidden><label for="filter">Filter</label>
<input id="filter" type="search" placeholder="GET teams 404" autocomplete="off">
<button type="button" data-pause aria-pressed="false">Pause</button></form>
<p role="status" class="soft" data-told>${rows.length === 0 ? 'No requests yet.' : `The last ${rows.length}.`}</p>
<div class="scroll" role="region" aria-label="Requests" tabindex="0"><table class="log" data-rows="${next}"><thead><tr>${heads}</tr></thead>
<tbody>${rows.map(rowHtml)}</tbody></table></div>
<template id="row">${rowHtml({ seq: 0, method: '', path: '', status: 0, time: '', command: '', curl: '' })}</template>`;
    return { title: 'Requests', body };
  };
}

function rowHtml({ time, method, path, status, command, curl }: Row): Html {
  return html`<tr><th scope="row"><b data-of="method">${method}</b> <span data-of="path" class="path">${path}</span></th>
<td data-of="status">${statusText(status)}</td><td><time data-of="time">${time}</time></td>
<td class="copies">${copyButton('command', 'docs', command)} ${copyButton('curl', 'curl', curl)}</td></tr>
`;
}

function copyButton(of: string, label: string, text: string | undefined): HtmlPart {
  if (text === undefined) return undefined;
  return html`<button type="button" class="copy" hidden data-of="${of}" data-copy="${text}" aria-label="Copy as ${label}">${label}</button>`;
}

function statusText(status: number): string {
  return status === 0 ? 'cut' : String(status);
}

/** The rows after one, the latest first. */
export function requestRowsView(finder: () => Promise<CommandFinder>): View {
  return async ({ parts: { db, origin }, query }) => {
    const after = Number(query.get('after'));
    const rows = readRows(db, await finder(), origin(), Number.isSafeInteger(after) ? after : 0);
    const shown = rows.map((row) => ({ ...row, status: statusText(row.status) }));
    const next = withQuery(rowsPath, { after: String(rows[0]?.seq ?? Math.min(after, lastSeq(db))) });
    return { type: 'application/json', bytes: JSON.stringify({ rows: shown, next }) };
  };
}

function readRows(db: Database, finder: CommandFinder, origin: string, after: number): Row[] {
  const sql = `SELECT seq, method, path, status, time FROM local_requests WHERE seq > ?
    ORDER BY seq DESC LIMIT ${mostRows}`;
  const rows = db.all<Omit<Row, 'time'> & { time: number }>(sql, after);
  return rows.map(({ time, ...row }) => {
    return { ...row, time: new Date(time).toISOString(), ...finder.copiesOf(row, origin) };
  });
}

/** 0 after the log was emptied, so that what comes then is not taken for old. */
function lastSeq(db: Database): number {
  return db.get<{ last: number | null }>('SELECT max(seq) AS last FROM local_requests')?.last ?? 0;
}

/** Which command sends a request: found in the command tree by the operation. */

/** How a command reaches the sandbox: its own flag, or the address of its server and a token. */
export type CommandTarget = { sandbox: true } | { baseUrl: string };

interface Sent {
  method: string;
  /** With its query. */
  path: string;
}

interface Copies {
  /** As a command of docs; undefined where a word could do harm when pasted. */
  command?: string;
  curl?: string;
}

/** Makes texts to copy of requests. None holds a token, and the log has no bodies: a file stands for them. */
export class CommandFinder {
  readonly #byOperation = new Map<string, { words: string; node: CommandOutline }>();
  readonly #place: CommandTarget;
  readonly #platform: NodeJS.Platform;

  private constructor(place: CommandTarget, platform: NodeJS.Platform) {
    this.#place = place;
    this.#platform = platform;
  }

  static async open(
    groups: readonly GroupEntry[],
    place: CommandTarget,
    platform: NodeJS.Platform,
  ): Promise<CommandFinder> {
    const finder = new CommandFinder(place, platform);
    for (const { path, command: node } of await outlineTree(groups)) {
      if (!isOfOperations(node)) continue;
      for (const { id } of node.operations) finder.#byOperation.set(id, { words: path, node });
    }
    return finder;
  }

  /** @param origin of the server, for curl */
  copiesOf({ method, path }: Sent, origin: string): Copies {
    if (!/^[!-~]+$/.test(path) || !/^[A-Z]+$/.test(method)) return {};
    const operated = operationAt({ method: method as AnyOperation['method'], path });
    const body = operated?.op.body !== undefined;
    const words = (operated && this.#ofOperation(operated)) ?? this.#raw({ method, path }, body);
    return {
      command: atPlace(words, this.#place, this.#platform),
      curl: this.#curl({ method, path }, origin, body),
    };
  }

  #ofOperation({ op, input }: Operated): string | undefined {
    const found = this.#byOperation.get(op.id);
    if (found === undefined) return undefined;
    const { page: _, limit: __, ...query } = input.query as Record<string, string[]>;
    const given = new Map(
      Object.entries({ ...input.path, ...query }).map(([key, value]) => [key, [value].flat()]),
    );
    if ([...given.values()].flat().some(isUnfit)) return undefined;
    const words = [`docs ${found.words}`];
    for (const { field = '', required } of found.node.args) {
      const values = given.get(field) ?? [];
      if (required && values.length === 0) return undefined;
      words.push(...values);
      given.delete(field);
    }
    for (const [field, values] of given) {
      const flag = flagWords(
        found.node.options.filter((option) => option.field === field),
        values,
      );
      if (flag === undefined) return undefined;
      words.push(...flag);
    }
    if (op.body !== undefined) {
      if (!found.node.options.some(({ name }) => name === 'input')) return undefined;
      words.push('--input', 'body.json');
    }
    const [command = '', ...rest] = words;
    return [command, ...rest.map((word) => shellWord(word, this.#platform))].join(' ');
  }

  #raw({ method, path }: Sent, body: boolean): string {
    return `docs api ${method} ${shellWord(path, this.#platform)}${body ? ' --input body.json' : ''}`;
  }

  #curl({ method, path }: Sent, origin: string, body: boolean): string {
    const verb = method === 'GET' ? '' : ` -X ${method}`;
    const data = body ? " -H 'Content-Type: application/json' --data @body.json" : '';
    const url = shellWord(origin + path, this.#platform);
    return `curl${verb} -H "Authorization: Bearer $DOCS_TOKEN"${data} ${url}`;
  }
}

/** Whether a value could be taken for a flag, or command the terminal that it is pasted into. */
function isUnfit(value: string): boolean {
  return value === '' || value.startsWith('-') || safeLine(value) !== value;
}

/** A flag with what it says; undefined where no flag says it. */
function flagWords(options: readonly OptionOutline[], values: readonly string[]): string[] | undefined {
  for (const { name, boolean } of options) {
    if (boolean === undefined) return values.flatMap((value) => [`--${name}`, value]);
    const [value] = values;
    if (value === 'true' && boolean !== 'only-no') return [`--${name}`];
    if (value === 'false' && boolean !== true)
      return [boolean === 'no' || boolean === 'only-no' ? `--no-${name}` : `--${boolean}`];
  }
  return undefined;
}
