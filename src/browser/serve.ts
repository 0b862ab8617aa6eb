import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DocsError } from '../base/errors.js';
import type { GroupEntry } from '../cli/declare/command.js';
import { html } from '../document/html.js';
import { refusal } from '../sandbox/refusal.js';
import { openPath, type PageParts, type Pages, pagesPath, refuseForeign } from '../sandbox/server/front.js';
import { type Route, Routes, readAddress } from '../sandbox/server/http.js';
import { takeTicket } from '../sandbox/server/tokens.js';
import { isBusy } from '../sandbox/store/database.js';
import * as orgPages from './org-pages.js';
import { assets, documentOf, homePath, type Page } from './parts.js';
import { CommandFinder, type CommandTarget, requestRowsView, requestsView } from './requests.js';
import * as spacePages from './space-pages.js';
import type { Sent, View } from './visit.js';

/** The pages of a sandbox: who may see them, which one is asked for, and how it is sent. */

export interface PageSettings {
  /** All commands, to tell which one sends a request. */
  groups: readonly GroupEntry[];
  place: CommandTarget;
  platform: NodeJS.Platform;
  /** The command that opens the pages. */
  opens: string;
}

/** Nothing runs, loads or is sent to but what comes from here; no other page may hold, open or read this one. */
const guards = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Files beside this one; the build puts them beside the program. */
const files: Readonly<Record<string, { file: string; type: string }>> = {
  [assets.style]: { file: 'sandbox-pages.css', type: 'text/css; charset=utf-8' },
  [assets.script]: { file: 'sandbox-pages.js', type: 'text/javascript; charset=utf-8' },
  [assets.icon]: { file: 'sandbox-pages.svg', type: 'image/svg+xml' },
};

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

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await this.#answerTo(request, gone.signal).catch((cause: unknown) =>
      this.#failed(cause, request),
    );
    const { status, type, bytes, headers } = answer;
    const length = Buffer.byteLength(bytes);
    response.writeHead(status, { ...guards, 'content-type': type, 'content-length': length, ...headers });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  async #answerTo(request: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    refuseForeign(request.headers, request.socket.localPort);
    refuseOtherSites(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return this.#notAllowed(request);
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOpen = this.#isOpen(request);
    if (url.pathname === openPath && request.method === 'GET') return this.#open(request, url, isOpen);
    const asset = files[url.pathname];
    // The look of a refusal needs no session.
    if (asset !== undefined && (isOpen || url.pathname !== assets.script)) return fileAnswer(asset);
    if (!isOpen) return this.#refused(url.pathname);
    if (`${url.pathname}/` === pagesPath) return redirect(homePath);
    return this.#page(url, signal);
  }

  /** Takes a ticket for a session. Who has one already needs none: a browser may load an address twice. */
  #open(request: IncomingMessage, { pathname, searchParams }: URL, isOpen: boolean): Answer {
    const { db, now } = this.#parts;
    if (isOpen) return redirect(homePath);
    if (!takeTicket(db, searchParams.get('token') ?? '', now())) return this.#refused(pathname);
    const cookie = `${cookieName(request.socket.localPort)}=${this.#sessions.begin()}`;
    return redirect(homePath, { 'set-cookie': `${cookie}; Path=${pagesPath}; HttpOnly; SameSite=Strict` });
  }

  async #page(url: URL, signal: AbortSignal): Promise<Answer> {
    const found = this.#routes.find('GET', readAddress(url.pathname)?.parts ?? []);
    const words = typeof found === 'object' ? Object.values(found.parameters) : [];
    if (typeof found !== 'object' || words.includes('')) throw refusal(404, 'there is no such page');
    this.#parts.refresh();
    const visit = { parts: this.#parts, at: url.pathname, query: url.searchParams, signal };
    const made = await found.route.view(visit, words);
    return 'bytes' in made ? { status: 200, ...made } : this.#framed(made, url.pathname, true);
  }

  #isOpen({ headers, socket }: IncomingMessage): boolean {
    return this.#sessions.isOpen(cookieIn(headers.cookie, cookieName(socket.localPort)));
  }

  #framed(page: Page, at: string, isOpen: boolean): Answer {
    const foot =
      isOpen && html`The clock of the sandbox shows ${new Date(this.#parts.clock.now()).toISOString()}.`;
    const text = documentOf(page, { at, isOpen, ...(foot !== false && { foot }) });
    return { status: page.status ?? 200, type: 'text/html; charset=utf-8', bytes: text };
  }

  #refused(at: string): Answer {
    const body = html`<p>This address opens nothing any more, or this browser has not opened the sandbox yet.
An address of the sandbox works once, for a few minutes.</p>
<p>Run <code>${this.#settings.opens}</code> for a new one.</p>`;
    return this.#framed({ title: 'Open the sandbox first', status: 403, body }, at, false);
  }

  #notAllowed({ url = '/' }: IncomingMessage): Answer {
    const page = { title: 'Not allowed', status: 405, body: html`<p>The pages only show.</p>` };
    return { ...this.#framed(page, url, false), headers: { allow: 'GET, HEAD' } };
  }

  #failed(cause: unknown, request: IncomingMessage): Answer {
    const known = cause instanceof DocsError ? cause : undefined;
    const status = isBusy(cause) ? 503 : (known?.failure.status ?? 500);
    const message = known?.message ?? (cause as Error).message;
    const title = status === 404 ? 'Not found' : 'This page cannot be shown';
    const isOpen = status !== 403 && this.#isOpen(request);
    return this.#framed(
      { title, status, body: html`<p>${message.charAt(0).toUpperCase() + message.slice(1)}</p>` },
      request.url ?? '/',
      isOpen,
    );
  }
}

/** Only this origin, or the visitor, may ask. Programs send no such header. @throws 403 */
function refuseOtherSites({ headers }: IncomingMessage): void {
  const from = headers['sec-fetch-site'];
  if (from === undefined || from === 'same-origin' || from === 'none') return;
  throw refusal(403, 'another site led here. Paste the address into the browser instead.');
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 303, type: 'text/plain', bytes: '', headers: { location, ...headers } };
}

function fileAnswer({ file, type }: { file: string; type: string }): Answer {
  return { status: 200, type, bytes: readFileSync(join(import.meta.dirname, file)) };
}

/** Who has opened the pages: cookies of this server, kept in memory alone, so that they end with it. */

/** For how long a browser may look without opening the pages anew. */
const lifetimeMs = 12 * 60 * 60 * 1000;
/** The oldest ends where one more comes. */
const mostSessions = 50;

class Sessions {
  /** When each ends, by the hash of its secret, the oldest first. */
  readonly #ends = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins one and returns its secret. */
  begin(): string {
    const secret = randomBytes(32).toString('base64url');
    this.#ends.set(hashOf(secret), this.#now() + lifetimeMs);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > mostSessions && oldest !== undefined) this.#ends.delete(oldest);
    return secret;
  }

  isOpen(secret: string | undefined): boolean {
    if (secret === undefined) return false;
    return (this.#ends.get(hashOf(secret)) ?? 0) > this.#now();
  }
}

/** Other servers of this machine share the cookies of its address, so each has a name of its own. */
function cookieName(port: number | undefined): string {
  return `docs_sandbox_${port ?? 0}`;
}

/** The value of a cookie in a header. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

interface PageRoute extends Route {
  view: View;
}

/** The pages by path; a view is given the values of the parameters. */
function routesOf(finder: () => Promise<CommandFinder>): Routes<PageRoute> {
  const inOrg = 'orgs/{org}';
  const inSpace = `${inOrg}/spaces/{space}`;
  const views: readonly (readonly [path: string, view: View])[] = [
    ['', orgPages.organizationsView],
    ['requests', requestsView(finder)],
    ['requests/rows', requestRowsView(finder)],
    [inOrg, orgPages.orgView],
    [`${inOrg}/spaces`, orgPages.spacesView],
    [inSpace, spacePages.spaceView],
    [`${inSpace}/pages/{page}`, spacePages.pageView],
    [`${inSpace}/files`, spacePages.filesView],
    [`${inSpace}/files/{file}`, spacePages.fileView],
    [`${inSpace}/change-requests`, spacePages.changeRequestsView],
    [`${inSpace}/change-requests/{request}`, spacePages.changeRequestView],
    [`${inSpace}/comments`, spacePages.commentsView],
    [`${inOrg}/members`, orgPages.membersView],
    [`${inOrg}/members/{member}`, orgPages.memberView],
    [`${inOrg}/teams`, orgPages.teamsView],
    [`${inOrg}/teams/{team}`, orgPages.teamView],
    [`${inOrg}/sites`, orgPages.sitesView],
    [`${inOrg}/sites/{site}`, orgPages.siteView],
    [`${inOrg}/openapi`, orgPages.specsView],
    [`${inOrg}/openapi/{spec}`, orgPages.specView],
  ];
  return new Routes(views.map(([path, view]) => ({ method: 'GET', path: homePath + path, view })));
}
