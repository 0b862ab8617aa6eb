import { type HtmlPart, html } from '../document/html.js';
import { badge, command } from '../reports/markup.js';
import { seedNames } from '../sandbox/seeds/names.js';
import { type Fault, listFaults } from '../sandbox/server/faults.js';
import { listTokens, memberOf } from '../sandbox/server/tokens.js';
import { sourceOf } from '../sandbox/store/store.js';
import { offer, placed } from './actions.js';
import { facts, orgPath, table } from './parts.js';
import type { View } from './visit.js';

/** The machine: its clock, faults, data and tokens. Each button shows the command that it stands for. */

const shifts = [
  ['+1 hour', '+1h'],
  ['+1 day', '+1d'],
  ['+8 days', '+8d'],
] as const;

export const clockView: View = async (visit) => {
  const buttons = shifts.map(
    ([label, shift]) => html`<li>${offer(visit, { action: 'clock', label, fields: { shift } })}</li>`,
  );
  const own = offer(visit, {
    action: 'clock',
    label: 'Move',
    fields: { shift: '+7d' },
    inputs: html`<label>By <input name="shift" value="+7d" size="8" required pattern="[+\\-]?\\d{1,6}(\\.\\d{1,3})?(ms|s|m|h|d|w)" title="Such as +7d, +90m or -1h"></label>`,
  });
  const now = new Date(visit.parts.clock.now()).toISOString();
  const body = html`<p class="lead">The clock of the sandbox keeps running in real time. Moving it forward ends restore windows
and completes pending work: a deleted space can be restored for seven days.</p>
<ul class="tiles"><li><b><time datetime="${now}">${now.slice(0, 16).replace('T', ' ')}</time></b> <span>UTC, in the sandbox</span></li></ul>
<ul class="list acts">${buttons}<li>${own}</li></ul>`;
  return { title: 'Clock', body };
};

const statuses = ['429', '503', '500', '404', '403', '401'] as const;
const methods = ['*', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const faultsView: View = async (visit) => {
  const faults = listFaults(visit.parts.db);
  const rows = faults.map((fault): HtmlPart[] => [
    html`<code>${fault.method} ${fault.path}</code>`,
    effectOf(fault),
    fault.times === null ? 'no limit' : String(fault.times),
    offer(visit, { action: 'fault-remove', label: 'Remove', fields: { id: String(fault.id) } }),
  ]);
  const body = html`<p class="lead">A fault makes requests fail, to test how a program deals with it. The newest fault that matches
a request applies.</p>
<ul class="list acts"><li>${offer(visit, { action: 'fault', label: 'Add the fault', fields: faultExample(visit.query), inputs: faultInputs(visit.query) })}</li></ul>
<h2>Faults <span class="count">${faults.length}</span></h2>
${
  rows.length === 0
    ? html`<p class="empty">No request fails.</p>`
    : [
        table('Faults', ['Requests', 'What happens', 'Times left', 'Remove'], rows),
        offer(visit, { action: 'fault-clear', label: 'Remove all faults' }),
      ]
}`;
  return { title: 'Faults', body };
};

/** What the form begins with; another page may lead here with a request. */
function faultExample(query: URLSearchParams) {
  const [method, path] = [query.get('method') ?? 'GET', query.get('path') ?? '/v1/orgs/*/teams'];
  return { method, path, status: '503', times: '1' };
}

function faultInputs(query: URLSearchParams): HtmlPart {
  const { method, path, status, times } = faultExample(query);
  const choice = (value: string, label: string, chosen: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;
  return html`<label>Method <select name="method">${methods.map((one) => choice(one, one === '*' ? 'any' : one, method))}</select></label>
<label>Path <input name="path" value="${path}" size="28" required title="* matches any text"></label>
<label>Status <select name="status"><option value="">none</option>${statuses.map((one) => choice(one, one, status))}</select></label>
<label>Delay <input name="delay" size="5" pattern="\\d{1,12}(\\.\\d{1,6})?(ms|s|m|h)?" placeholder="none" title="Such as 500ms or 2s"></label>
<label>Connection <select name="reset"><option value="">stays</option><option value="before">cut before the change</option><option value="after">cut after the change</option></select></label>
<label>Times <input name="times" value="${times}" size="5" inputmode="numeric" pattern="\\d{1,7}" placeholder="no limit"></label>`;
}

function effectOf({ status, delayMs, reset, rate }: Fault): HtmlPart {
  return [
    status !== null && badge(String(status), 'state'),
    delayMs > 0 && ` after ${delayMs} ms`,
    reset !== null && ` connection cut ${reset} the change`,
    rate < 1 && ` (${Math.round(rate * 100)} % of the requests)`,
  ];
}

const sizes: Readonly<Record<(typeof seedNames)[number], string>> = {
  tiny: '7 members, 5 spaces',
  acme: '400 members, 60 spaces, 3,000 pages',
  huge: '100,000 members',
};

export const seedsView: View = async (visit) => {
  const source = sourceOf(visit.parts.db);
  const seeds = seedNames.map(
    (seed) => html`<li><b>${seed}</b> <span class="soft">${sizes[seed]}</span>
${offer(visit, { action: 'seed', label: `Load ${seed}`, fields: { seed }, asks: 'This replaces all data of the sandbox. Tokens stay.' })}</li>`,
  );
  const body = html`<p class="lead">The data of the sandbox came from <b>${source}</b>. A seed has the same ids and times on every machine.</p>
<h2>Reset</h2>
<ul class="list acts"><li>${offer(visit, { action: 'reset', label: 'Reset', asks: `This loads ${source} again, and removes all faults and logged requests.` })}</li></ul>
<h2>Seeds</h2>
<ul class="list acts">${seeds}</ul>
<h2>Your own data</h2>
<p>Load a backup of your organization, or an export of a sandbox:</p>
<ul class="list acts">${[
    ['seed', '--from-backup', 'backup'],
    ['seed', '--from', 'state.json'],
  ].map((words) => html`<li>${command(placed(['sandbox', ...words], visit.settings))}</li>`)}</ul>`;
  return { title: 'Seeds and reset', body };
};

export const tokensView: View = async (visit) => {
  const { db, origin } = visit.parts;
  const rows = listTokens(db).map(({ name: of, token, member, org }): HtmlPart[] => [
    badge(of, 'role'),
    html`<a href="${orgPath(org, 'members', member)}">${memberOf(db, org, member)?.email ?? member}</a>`,
    command(token),
    command(
      placed(
        ['sandbox', 'status', '--jq', of.includes('-') ? `.tokens["${of}"]` : `.tokens.${of}`],
        visit.settings,
      ),
    ),
  ]);
  const body = html`<p class="lead">Programs use the sandbox with these. There is a token for each role, for a guest, and for the admin of another
organization; docs sends them to the sandbox only.</p>
${facts([['Address', command(`DOCS_BASE_URL=${origin()}`)]])}
${table('Tokens', ['Role', 'Member', 'Token', 'As a command'], rows)}`;
  return { title: 'Tokens', body };
};
