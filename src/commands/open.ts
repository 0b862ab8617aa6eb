import { spawn } from 'node:child_process';
import { getChangeRequest } from '../api/resources/change-requests.js';
import { getCollection } from '../api/resources/collections.js';
import { getOpenApiSpec } from '../api/resources/openapi.js';
import { getOrg } from '../api/resources/orgs.js';
import { getSite } from '../api/resources/sites.js';
import { getSpace } from '../api/resources/spaces.js';
import { isLoopback } from '../api/transport/base-url.js';
import { DocsError, usageError } from '../errors.js';
import type { Io } from '../io.js';
import { requireContext } from './context.js';
import { manual } from './define.js';
import type { Session } from './session.js';
import { contextOption } from './standing-options.js';

/** `docs open`: a resource in the browser. Only what the platform itself says, only https, no shell. */

interface Urls {
  app?: string;
  published?: string;
}

/** What can be opened, and how its `urls` are read. */
const kinds: Readonly<Record<string, (session: Session, id: string) => Promise<{ urls?: Urls }>>> = {
  org: async (session, id) => (await session.client()).call(getOrg, { path: { organizationId: id } }),
  space: async (session, id) => (await session.client()).call(getSpace, { path: { spaceId: id } }),
  site: async (session, id) =>
    (await session.client()).call(getSite, {
      path: { organizationId: requireContext(session, 'org'), siteId: id },
    }),
  collection: async (session, id) =>
    (await session.client()).call(getCollection, { path: { collectionId: id } }),
  'change-request': async (session, id) =>
    (await session.client()).call(getChangeRequest, {
      path: { spaceId: requireContext(session, 'space'), changeRequestId: id },
    }),
  openapi: async (session, id) =>
    (await session.client()).call(getOpenApiSpec, {
      path: { organizationId: requireContext(session, 'org'), specSlug: id },
    }),
};

const known = Object.keys(kinds).join(', ');

export const open = manual({
  name: 'open',
  summary: 'Open a resource in the browser',
  why: 'Opens the address in the app, or the published one, that the platform gives for the resource.',
  args: { '<resource>': `One of ${known}`, '<id>': 'Its id' },
  options: [
    { name: 'published', boolean: true, description: 'The published address instead of the app' },
    { name: 'print', boolean: true, description: 'Print the address; open nothing' },
    ...(['organizationId', 'spaceId'] as const).map(contextOption),
  ],
  operations: [getOrg, getSpace, getSite, getCollection, getChangeRequest, getOpenApiSpec],
  examples: [
    { run: 'open space s1', does: 'the space in the app' },
    { run: 'open site t1 --published --print', does: 'the address readers use' },
  ],
  async run(session, { args, options }) {
    const { resource, id } = args as { resource?: string; id?: string };
    const read = resource === undefined || !Object.hasOwn(kinds, resource) ? undefined : kinds[resource];
    if (read === undefined) throw usageError('unknown_resource', `<resource> must be one of ${known}.`);
    if (id === undefined)
      throw usageError('missing_argument', `<id> is required: the id of the ${resource}.`);
    const { urls } = await read(session, id);
    const address = options.published === true ? urls?.published : (urls?.app ?? urls?.published);
    if (address === undefined) throw noAddress(`${resource} ${id}`, options.published === true);
    if (options.print === true) return session.printer.text(`${address}\n`);
    const url = checkAddress(address, session, address === urls?.published);
    await startBrowser(session.io, url);
    await session.printer.done({ id, status: 'opened', url }, `Opened ${url}.`);
  },
});

function noAddress(what: string, published: boolean): DocsError {
  const message = `The platform gives no ${published ? 'published ' : ''}address for ${what}.`;
  return new DocsError('not-found', 'no_address', message);
}

/**
 * Only https (loopback may be http), and only the platform's own domain or a published address:
 * whatever else an answer may hold starts no program. (RELIABILITY, "What the platform sends")
 */
function checkAddress(address: string, session: Session, published: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const local = url !== undefined && isLoopback(url.hostname);
  const secure = url !== undefined && (url.protocol === 'https:' || (url.protocol === 'http:' && local));
  const own = url !== undefined && (published || isOwnHost(url.hostname, session.settings.baseUrl?.value));
  if (url === undefined || !secure || !own || url.username !== '' || url.password !== '') {
    const message = 'The platform gave an address that is not safe to open: not https, or of another domain.';
    throw new DocsError('bad-response', 'unsafe_address', message, {
      details: { address },
      hint: 'docs open … --print',
    });
  }
  if (session.settings.sandbox) {
    throw usageError('sandbox_address', `The sandbox has no app to open; its address would be ${url.href}.`);
  }
  return url.href;
}

/** The API of api.example.com has its app at example.com or below it. */
function isOwnHost(host: string, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return false;
  const base = new URL(baseUrl).hostname;
  const parent = base.split('.').slice(1).join('.');
  const domain = parent.includes('.') ? parent : base;
  return host === base || host === domain || host.endsWith(`.${domain}`);
}

/** Starts the system's opener without a shell; it lives on after docs has ended. */
async function startBrowser(io: Io, url: string): Promise<void> {
  const [command, ...args] =
    io.platform === 'darwin'
      ? ['open', url]
      : io.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(command as string, args, { detached: true, stdio: 'ignore' });
  await new Promise<void>((done, fail) => {
    child.once('spawn', done);
    child.once('error', (cause) =>
      fail(
        new DocsError('local-io', 'no_browser', `Cannot start ${command}: no browser was opened.`, {
          cause,
          hint: 'docs open … --print',
        }),
      ),
    );
  });
  child.unref();
}
