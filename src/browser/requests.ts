import { jsonIn } from '../base/values.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { grouped, safeLine } from '../output/text.js';
import { command } from '../reports/markup.js';
import { notFound } from '../sandbox/refusal.js';
import { longestText } from '../sandbox/server/request-log.js';
import {
  countRequests,
  isStatusFilter,
  type KeptRequest,
  type ListedRequest,
  lastRequest,
  listRequests,
  nameOfRow,
  type RequestFilter,
  requestAt,
  requestBars,
} from '../sandbox/server/request-queries.js';
import type { RowChange } from '../sandbox/server/row-changes.js';
import { listTokens } from '../sandbox/server/tokens.js';
import type { Database } from '../sandbox/store/database.js';
import { loggedCommand, offer, placed } from './actions.js';
import type { CommandFinder, Copies } from './command-finder.js';
import { name, requestsPath, withQuery } from './parts.js';
import type { View, Visit } from './visit.js';

/** The log of requests: the list, and at its right the request that is open. */

/** Rows of a page. */
const mostRows = 200;
const mostBars = 60;
const mostActors = 3;
/** Requests that are read at once where words are searched. */
const searchedAtOnce = 1000;

type Finder = () => Promise<CommandFinder>;
type Asked = Readonly<Partial<Record<'q' | 'status' | 'method' | 'actor' | 'before', string>>>;

function askedIn(query: URLSearchParams): Asked {
  const names = ['q', 'status', 'method', 'actor', 'before'] as const;
  return Object.fromEntries(names.flatMap((key) => (query.get(key) ? [[key, query.get(key) ?? '']] : [])));
}

function filterOf({ status, method, actor }: Asked): RequestFilter {
  return { method, actor, status: status !== undefined && isStatusFilter(status) ? status : undefined };
}

export function requestsView(finder: Finder): View {
  return async (visit, [seq]) => {
    const { db } = visit.parts;
    const found = await finder();
    const asked = askedIn(visit.query);
    const opened = seq === undefined ? undefined : requestAt(db, Number(seq));
    if (seq !== undefined && opened === undefined) throw notFound('request', seq);
    const rows = rowsOf(visit, found, asked);
    const body = html`<div class="log" data-last="${lastRequest(db)}" data-path="${withQuery(requestsPath, asked)}">
<div class="requests">${barsHtml(db, filterOf(asked))}
<div class="tools" id="log-tools">${chipsHtml(db, asked)} <form role="search" action="${requestsPath}">${hiddenOf(asked)}<label class="sr" for="filter">Filter the requests</label>
<input id="filter" name="q" type="search" value="${asked.q ?? ''}" placeholder="path, command, status" autocomplete="off"></form>
<button type="button" id="live" aria-pressed="true" hidden>Live</button></div>
<p role="status" class="sr" id="log-told"></p>
<div id="log-rows">${rowsHtml(visit, found, rows, asked, opened?.seq)}</div></div>
<div id="log-open">${opened && openedHtml(visit, found, opened, asked)}</div></div>`;
    return { title: 'Requests', body };
  };
}

/** The place of the last request: the script asks for it, and for the page where it is another. */
export const lastRequestView: View = async ({ parts }) => ({
  type: 'text/plain; charset=utf-8',
  bytes: String(lastRequest(parts.db)),
});

/** The requests of a page, the latest first, and whether there are older ones. */
function rowsOf(visit: Visit, finder: CommandFinder, asked: Asked): { rows: ListedRequest[]; more: boolean } {
  const { db } = visit.parts;
  const words = (asked.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = (one: ListedRequest) =>
    [one.method, one.path, one.status || 'cut', one.actor, one.email, one.id, one.fault, finder.wordsOf(one)]
      .join(' ')
      .toLowerCase();
  const rows: ListedRequest[] = [];
  const most = words.length === 0 ? mostRows + 1 : searchedAtOnce;
  for (let before = Number(asked.before) || undefined; rows.length <= mostRows; ) {
    const found = listRequests(db, filterOf(asked), { ...(before !== undefined && { before }), most });
    for (const one of found.reverse()) if (words.every((word) => textOf(one).includes(word))) rows.push(one);
    before = found.at(-1)?.seq;
    if (found.length < most) break;
  }
  return { rows: rows.slice(0, mostRows), more: rows.length > mostRows };
}

function rowsHtml(
  visit: Visit,
  finder: CommandFinder,
  { rows, more }: { rows: readonly ListedRequest[]; more: boolean },
  asked: Asked,
  opened: number | undefined,
): HtmlPart {
  if (rows.length === 0) {
    const none = lastRequest(visit.parts.db) === 0 ? 'No requests yet. Run one:' : 'No request matches.';
    return html`<p class="calm">${none} ${none.endsWith(':') && command(placed(['teams', 'list'], visit.settings))}</p>`;
  }
  const { before: _, ...query } = asked;
  const older = withQuery(requestsPath, { ...query, before: String(rows.at(-1)?.seq ?? 0) });
  return [
    html`<ol class="list">${rows.map((one) => rowHtml(visit, finder, one, asked, opened))}</ol>`,
    html`<nav class="tools soft" aria-label="Pages of the list">${asked.before !== undefined && html`<a data-swap href="${withQuery(requestsPath, query)}">Latest</a>`} ${more && html`<a data-swap href="${older}">Older</a>`}</nav>`,
  ];
}

function rowHtml(
  visit: Visit,
  finder: CommandFinder,
  one: ListedRequest,
  asked: Asked,
  opened: number | undefined,
): Html {
  const { seq, time, path, ms, actor, fault } = one;
  const at = new Date(time).toISOString();
  const { body, whole } = (one.method !== 'GET' && requestAt(visit.parts.db, seq)) || {};
  const line = copiesOf(visit, finder, { ...one, body: whole ? body : undefined }).command ?? '';
  const current = seq === opened && html` aria-current="true"`;
  return html`<li><a data-swap class="request" id="r${seq}" href="${withQuery(`${requestsPath}/${seq}`, asked)}"${current}>${methodBadge(one)} ${statusBadge(one)}
<span class="sent"><code>${brief(safeLine(decoded(path)))}</code><span class="as">${brief(line)}</span></span>
<span class="soft who">${actor ?? 'unknown'}${fault !== null && ' · fault'}<br><time datetime="${at}" title="${at}">${at.slice(11, 19)}</time></span>
<span class="soft n">${duration(ms)}</span></a></li>
`;
}

const tones: Readonly<Record<string, string>> = { DELETE: 'bad', GET: 'plain', HEAD: 'plain' };

function methodBadge({ method }: ListedRequest): Html {
  return html`<span class="b ${tones[method] ?? 'busy'}">${method}</span>`;
}

function statusBadge({ status }: ListedRequest): Html {
  const tone = status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return html`<span class="b ${tone}">${status === 0 ? 'cut' : String(status)}</span>`;
}

function duration(ms: number): string {
  return `${ms < 10 ? ms : grouped(Math.round(ms))} ms`;
}

/** A few letters tell ids apart. */
function brief(text: string): string {
  return text.replaceAll(/\b[A-Za-z0-9]{20}\b/g, (id) => `${id.slice(0, 4)}…`);
}

/** A path as people read it, where it is well-formed. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The requests over time; a bar leads to what was there. */
function barsHtml(db: Database, filter: RequestFilter): HtmlPart {
  const bars = requestBars(db, filter, mostBars);
  if (bars.length === 0) return html`<div id="log-bars"></div>`;
  const height = 48;
  const most = Math.max(...bars.map(({ count }) => count));
  const drawn = bars.map(({ time, count, errors }, at) => {
    const [all, bad] = [count, errors].map((n) => (n === 0 ? 0 : Math.max(2, (n / most) * height)));
    const said = `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')}: ${count} requests, ${errors} errors`;
    const rect = (size = 0, tone = '') =>
      size > 0 &&
      html`<rect x="${at * 10}" y="${(height - size).toFixed(1)}" width="8" height="${size.toFixed(1)}" rx="1.5" class="${tone}"/>`;
    return html`<g><title>${said}</title>${rect(all, 'r3')}${rect(bad, 'bad')}</g>`;
  });
  const all = bars.reduce((sum, { count }) => sum + count, 0);
  const errors = bars.reduce((sum, { errors: some }) => sum + some, 0);
  const label = `${grouped(all)} requests over time, ${grouped(errors)} with an error; times without a request are left out`;
  return html`<figure id="log-bars"><svg viewBox="0 0 ${mostBars * 10} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">${drawn}</svg></figure>`;
}

/** Ways to parts of the log, with how many requests each has. */
function chipsHtml(db: Database, asked: Asked): Html {
  const counts = countRequests(db, mostActors);
  const { q, status, method, actor } = asked;
  const chip = (label: string, count: number | undefined, query: Asked, isOn: boolean) =>
    html`<a data-swap class="button" href="${withQuery(requestsPath, { q, ...query })}"${isOn && html` aria-current="true"`}>${label}${count !== undefined && html` <span class="count">${grouped(count)}</span>`}</a>`;
  const isAll = status === undefined && method === undefined && actor === undefined;
  const actors = counts.actors.length > 1 || actor !== undefined ? counts.actors : [];
  const known = ['errors', undefined].includes(status) && ['changes', undefined].includes(method);
  return html`<nav class="chips" aria-label="Which requests">${[
    chip('All', counts.all, {}, isAll),
    chip('Changes', counts.changes, { method: 'changes' }, method === 'changes'),
    chip('Errors', counts.errors, { status: 'errors' }, status === 'errors'),
    ...actors.map(({ email, actor: label, count }) => chip(label, count, { actor: email }, actor === email)),
    ...(known ? [] : [chip([method, status].filter(Boolean).join(' '), undefined, asked, true)]),
  ]}</nav>`;
}

function hiddenOf({ status, method, actor }: Asked): HtmlPart {
  return Object.entries({ status, method, actor }).map(
    ([key, value]) => value !== undefined && html`<input type="hidden" name="${key}" value="${value}">`,
  );
}

function copiesOf(
  { parts, settings }: Visit,
  finder: CommandFinder,
  one: ListedRequest & { body?: string | undefined },
): Copies {
  const action = loggedCommand(one.path, settings);
  if (action !== undefined) return { command: action };
  // `--sandbox` is the admin of the usual database.
  const token = listTokens(parts.db).find(({ member }) => member === one.caller)?.name ?? 'admin';
  const isUsual = token === 'admin' && 'sandbox' in settings.place;
  const prints = isUsual ? undefined : placed(['sandbox', 'status', '--jq', `.tokens["${token}"]`], settings);
  return finder.copiesOf(one, parts.origin(), prints);
}

function openedHtml(visit: Visit, finder: CommandFinder, one: KeptRequest, asked: Asked): Html {
  const { id, method, path, time, ms, actor, fault, body, whole, answer, changes } = one;
  const copies = copiesOf(visit, finder, { ...one, body: whole ? body : undefined });
  const isAction = !path.startsWith('/v1/');
  const at = new Date(time).toISOString();
  const copy = (label: string, text: string | undefined) =>
    text !== undefined && html`<details><summary class="button">${label}</summary>${command(text)}</details>`;
  return html`<aside class="opened" aria-labelledby="opened">
<p class="back"><a data-swap href="${withQuery(requestsPath, asked)}">← All requests</a></p>
<h2 id="opened"><code>${method} ${safeLine(decoded(path))}</code></h2>
<p>${statusBadge(one)} <span class="soft">${duration(ms)} · as ${name(actor ?? 'an unknown token')} · <time datetime="${at}">${at.slice(0, 19).replace('T', ' ')}</time> · ${id}</span></p>
${fault !== null && html`<p class="warning">A fault applied: <code>${fault}</code></p>`}
${copies.command !== undefined && html`<h3>The same with docs</h3>`}
${isAction && copies.command !== undefined && html`<p>${command(copies.command)}</p>`}
${!isAction && actionsHtml(visit, one, copies.command)}
${copy('curl', copies.curl)}${copy('fetch', copies.fetch)}
${body !== undefined && [html`<h3>Sent</h3>`, textHtml(body), !whole && html`<p class="soft">Not kept whole: secrets and what is after 64 KB are left out.</p>`]}
${answer !== undefined && [html`<h3>Answer</h3>`, textHtml(answer)]}
${changes.length > 0 && html`<h3>What it changed</h3><ul class="list">${changes.map((change) => changeHtml(visit.parts.db, change))}</ul>`}
</aside>`;
}

/** The request once more, and a fault for the next like it. */
function actionsHtml(
  visit: Visit,
  { seq, method, path, body, whole }: KeptRequest,
  line: string | undefined,
): HtmlPart {
  const [bare = ''] = path.split('?', 1);
  const fields = { request: String(seq), method, path };
  const again =
    body === undefined || whole
      ? offer(visit, { action: 'send-again', label: 'Send again', fields, line })
      : html`<p>${line !== undefined && command(line)}</p><p class="soft">The body was not kept whole, so the request cannot be sent again.</p>`;
  const statuses = ['503', '500', '429', '404', '403', '401'].map(
    (one) => html`<option value="${one}">${one}</option>`,
  );
  const fails = offer(visit, {
    action: 'fault',
    label: 'Fail the next one',
    fields: { method, path: bare, status: '503', times: '1' },
    inputs: html`<input type="hidden" name="method" value="${method}"><input type="hidden" name="path" value="${bare}"><input type="hidden" name="times" value="1"><label>Status <select name="status">${statuses}</select></label>`,
  });
  return [again, fails];
}

function textHtml(text: string): HtmlPart {
  const isCut = text.length >= longestText;
  const value = isCut ? undefined : jsonIn(text);
  return [
    html`<pre tabindex="0"><code>${value === undefined ? text : JSON.stringify(value, undefined, 2)}</code></pre>`,
    isCut && html`<p class="soft">Only the first 64 KB were kept.</p>`,
  ];
}

const marks = { created: ['+', 'add'], changed: ['~', 'mod'], deleted: ['−', 'del'] } as const;

function changeHtml(db: Database, change: RowChange): Html {
  const [mark, tone] = marks[change.kind];
  const { what, title } = nameOfRow(db, change);
  const shown = (value: unknown) => (value === null ? 'none' : safeLine(String(value)));
  const fields = Object.entries(change.fields ?? {}).map(
    ([column, [was, is]]) =>
      html`<span><span class="name">${column.replaceAll('_', ' ')}</span> <del>${shown(was)}</del> <span class="arrow">→</span> <ins>${shown(is)}</ins></span>`,
  );
  return html`<li><b class="${tone}">${mark}</b> <span class="sr">${change.kind}</span> ${what} <b>${name(title)}</b> <span class="f">${fields}</span></li>`;
}
