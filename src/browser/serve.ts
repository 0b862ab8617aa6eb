import type { IncomingMessage, ServerResponse } from 'node:http';
import { DocsError } from '../base/errors.js';
import { html } from '../document/html.js';
import { clientCode } from '../reports/client-code.js';
import { command } from '../reports/markup.js';
import { refusal } from '../sandbox/refusal.js';
import { readAddress } from '../sandbox/server/exchange.js';
import { openPath, type PageParts, type Pages, pagesPath, refuseForeign } from '../sandbox/server/front.js';
import { type Route, Routes } from '../sandbox/server/routes.js';
import { takeTicket } from '../sandbox/server/tokens.js';
import { isBusy } from '../sandbox/store/database.js';
import type { PageSettings } from './action.js';
import { actionNamed, commandView, fieldsOf, lineOf, loggedPath, placed } from './actions.js';
import { CommandFinder } from './command-finder.js';
import { NotDone, readForm, refuseOtherForms, wayBack } from './forms.js';
import { homeView } from './home-page.js';
import * as machinePages from './machine-pages.js';
import * as orgPages from './org-pages.js';
import { assets, documentOf, homePath, type Page } from './parts.js';
import { lastRequestView, requestsView } from './requests.js';
import { searchView } from './search-page.js';
import { cookieIn, cookieName, type Session, Sessions } from './session.js';
import { frameOf } from './side.js';
import * as spacePages from './space-pages.js';
import { systems } from './systems.js';
import type { Sent, View, Visit } from './visit.js';

/** The pages of a sandbox: who may see them, which one is asked for, and how it is sent. */

/** Nothing runs, loads or is sent to but what comes from here; no other page may hold, open or read this one. */
const guards = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With no-referrer, browsers would send forms with the origin `null`.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><title>docs sandbox</title><rect width="16" height="16" rx="3" fill="#3450c8"/><path d="M4 4h8v2H4zm0 3h8v2H4zm0 3h5v2H4z" fill="#fff"/></svg>';

/** What pages load: the look and the script of reports, and their own. */
async function assetAt(path: string): Promise<Answer | undefined> {
  const sent = (type: string, bytes: string) => ({ status: 200, type, bytes });
  if (path === assets.icon) return sent('image/svg+xml', icon);
  if (path === assets.style) return sent('text/css; charset=utf-8', (await clientCode()).style);
  if (path === assets.script) return sent('text/javascript; charset=utf-8', (await clientCode()).sandbox);
  return undefined;
}

interface Answer extends Sent {
  status: number;
}

export function createPages(parts: PageParts, settings: PageSettings): Pages {
  return new SandboxPages(parts, settings);
}

class SandboxPages implements Pages {
  readonly #parts: PageParts;
  readonly #settings: PageSettings;
  readonly #sessions: Sessions;
  readonly #routes: Routes<PageRoute>;
  #finder: Promise<CommandFinder> | undefined;

  constructor(parts: PageParts, settings: PageSettings) {
    this.#parts = parts;
    this.#settings = settings;
    this.#sessions = new Sessions(parts.now);
    const { groups, place, platform } = settings;
    this.#routes = routesOf(() => (this.#finder ??= CommandFinder.open(groups, place, platform)));
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    log: (path: string) => void,
  ): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await this.#answerTo(request, gone.signal, log).catch((cause: unknown) =>
      this.#failed(cause),
    );
    const { status, type, bytes, headers } = answer;
    const length = Buffer.byteLength(bytes);
    response.writeHead(status, { ...guards, 'content-type': type, 'content-length': length, ...headers });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  async #answerTo(
    request: IncomingMessage,
    signal: AbortSignal,
    log: (path: string) => void,
  ): Promise<Answer> {
    refuseForeign(request.headers, request.socket.localPort);
    refuseOtherSites(request);
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/') return redirect(homePath);
    const session = this.#sessions.find(
      cookieIn(request.headers.cookie, cookieName(request.socket.localPort)),
    );
    const visit = session && this.#visit(url, session, signal);
    const failed = (cause: unknown) => this.#failed(cause, visit);
    const action = /^do\/([\w-]+)$/.exec(url.pathname.slice(pagesPath.length))?.[1];
    if (action !== undefined && request.method === 'POST') {
      refuseOtherForms(request);
      return visit === undefined ? this.#refused() : this.#act(request, visit, action, log).catch(failed);
    }
    if (action !== undefined) return this.#notAllowed('POST');
    if (request.method !== 'GET' && request.method !== 'HEAD') return this.#notAllowed('GET, HEAD');
    if (url.pathname === openPath && request.method === 'GET') return this.#open(request, url, session);
    const asset = await assetAt(url.pathname);
    // The look of a refusal needs no session.
    if (asset !== undefined && (visit !== undefined || url.pathname !== assets.script)) return asset;
    if (visit === undefined) return this.#refused();
    if (`${url.pathname}/` === pagesPath) return redirect(homePath);
    return this.#page(visit).catch(failed);
  }

  /** Takes a ticket for a session. Who has one already needs none: a browser may load an address twice. */
  async #open(
    request: IncomingMessage,
    { searchParams }: URL,
    session: Session | undefined,
  ): Promise<Answer> {
    const { db, now } = this.#parts;
    if (session !== undefined) return redirect(homePath);
    if (!takeTicket(db, searchParams.get('token') ?? '', now())) return this.#refused();
    const cookie = `${cookieName(request.socket.localPort)}=${this.#sessions.begin()}`;
    return redirect(homePath, { 'set-cookie': `${cookie}; Path=${pagesPath}; HttpOnly; SameSite=Strict` });
  }

  async #page(visit: Visit): Promise<Answer> {
    const found = this.#routes.find('GET', readAddress(visit.at)?.parts ?? []);
    const words = typeof found === 'object' ? Object.values(found.parameters) : [];
    if (typeof found !== 'object' || words.includes('')) throw refusal(404, 'there is no such page');
    this.#parts.refresh();
    const made = await found.route.view(visit, words);
    return 'bytes' in made ? { status: 200, ...made } : this.#framed(made, visit);
  }

  #visit({ pathname, searchParams }: URL, session: Session, signal: AbortSignal): Visit {
    let made: string | undefined;
    const ticket = () => (made ??= session.makeTicket());
    const [parts, settings] = [this.#parts, this.#settings];
    return { parts, settings, session, at: pathname, query: searchParams, signal, ticket };
  }

  /** Does what a form asks for, and leads back to its page, which says so. */
  async #act(
    request: IncomingMessage,
    { parts, session, settings }: Visit,
    name: string,
    log: (path: string) => void,
  ): Promise<Answer> {
    const form = await readForm(request);
    const action = actionNamed(name);
    const fields = fieldsOf(action, form);
    const back = wayBack(form);
    if (!session.takeTicket(form.get('ticket') ?? ''))
      throw new NotDone(
        'this form was already sent, or is of an old page. Go back and try again.',
        403,
        back,
      );
    log(loggedPath(name, fields));
    this.#parts.refresh();
    try {
      const text = await action.run({ parts, session, settings }, fields);
      session.tell({ text, command: lineOf(action, fields, settings) });
    } catch (cause) {
      throw cause instanceof DocsError
        ? new NotDone(cause.message, cause.failure.status ?? 400, back)
        : cause;
    }
    return redirect(back);
  }

  /** @param visit undefined for a visitor who may see no other page */
  async #framed(page: Page, visit?: Visit): Promise<Answer> {
    const frame = visit && (await frameOf(visit));
    const text = documentOf(page, frame);
    return { status: page.status ?? 200, type: 'text/html; charset=utf-8', bytes: text };
  }

  #refused(): Promise<Answer> {
    const body = html`<p>This address opens nothing any more, or this browser has not opened the sandbox yet.
An address of the sandbox works once, for a few minutes.</p>
<p>Run this for a new one: ${command(placed(['sandbox', 'open'], this.#settings))}</p>`;
    return this.#framed({ title: 'Open the sandbox first', status: 403, body });
  }

  async #notAllowed(allow: string): Promise<Answer> {
    const page = { title: 'Not allowed', status: 405, body: html`<p>This address takes only ${allow}.</p>` };
    return { ...(await this.#framed(page)), headers: { allow } };
  }

  async #failed(cause: unknown, visit?: Visit): Promise<Answer> {
    const known = cause instanceof DocsError ? cause.failure.status : undefined;
    const { status: own, back } = cause instanceof NotDone ? cause : {};
    const status = isBusy(cause) ? 503 : (own ?? known ?? 500);
    const { message } = cause as Error;
    const title =
      back !== undefined ? 'Nothing was done' : status === 404 ? 'Not found' : 'This page cannot be shown';
    const body = html`<p>${message.charAt(0).toUpperCase() + message.slice(1)}</p>
${back !== undefined && html`<p><a class="button" href="${back}">Back</a></p>`}`;
    const page = { title, status, body };
    return this.#framed(page, visit).catch(() => this.#framed(page));
  }
}

/** Only this origin, or the visitor, may ask. Programs send no such header. @throws 403 */
function refuseOtherSites({ headers }: IncomingMessage): void {
  const from = headers['sec-fetch-site'];
  if (from === undefined || from === 'same-origin' || from === 'none') return;
  throw refusal(403, 'another site led here. Paste the address into the browser instead.');
}

interface PageRoute extends Route {
  view: View;
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 303, type: 'text/plain', bytes: '', headers: { location, ...headers } };
}

/** The pages by path; a view is given the values of the parameters. */
function routesOf(finder: () => Promise<CommandFinder>): Routes<PageRoute> {
  const inOrg = 'orgs/{org}';
  const inSpace = `${inOrg}/spaces/{space}`;
  const views: readonly (readonly [path: string, view: View])[] = [
    ['', homeView],
    ['requests', requestsView(finder)],
    ['requests/last', lastRequestView],
    ['requests/{request}', requestsView(finder)],
    ['clock', machinePages.clockView],
    ['faults', machinePages.faultsView],
    ['seeds', machinePages.seedsView],
    ['tokens', machinePages.tokensView],
    ['do/{action}/command', commandView],
    [inOrg, orgPages.orgView],
    [`${inOrg}/search`, searchView],
    ...systems.map(({ part, view }) => [`${inOrg}/${part}`, view] as const),
    [inSpace, spacePages.spaceView],
    [`${inSpace}/pages/{page}`, spacePages.pageView],
    [`${inSpace}/files`, spacePages.filesView],
    [`${inSpace}/files/{file}`, spacePages.fileView],
    [`${inSpace}/change-requests`, spacePages.changeRequestsView],
    [`${inSpace}/change-requests/{request}`, spacePages.changeRequestView],
    [`${inSpace}/comments`, spacePages.commentsView],
    [`${inOrg}/members/{member}`, orgPages.memberView],
    [`${inOrg}/teams/{team}`, orgPages.teamView],
    [`${inOrg}/sites/{site}`, orgPages.siteView],
    [`${inOrg}/openapi/{spec}`, orgPages.specView],
  ];
  return new Routes(views.map(([path, view]) => ({ method: 'GET', path: homePath + path, view })));
}
