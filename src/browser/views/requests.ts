import type { Database } from '../../sandbox/store/database.js';
import { withQuery } from '../parts/address.js';
import type { CommandFinder, Copies } from '../parts/command-of.js';
import { type Html, html, type Part } from '../parts/html.js';
import { requestsPath } from '../parts/layout.js';
import type { View } from '../parts/visit.js';

/** The requests that the sandbox was sent, as they come: the script of the pages asks for the rows that are new. */

export const rowsPath = `${requestsPath}/rows`;

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
    const body = html`<p class="lead">What was sent to the API, the latest first. Visits of these pages are not among them.
Copied lines hold no token, and <code>body.json</code> stands for a body: the log keeps none.</p>
<form class="search" role="search" data-filter hidden><label for="filter">Filter</label>
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

function copyButton(of: string, label: string, text: string | undefined): Part {
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
