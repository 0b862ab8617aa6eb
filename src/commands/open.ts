import { spawn } from 'node:child_process';
import type { Client } from '../api/client.js';
import { getChangeRequest } from '../api/resources/change-requests.js';
import { getCollection } from '../api/resources/collections.js';
import { getOpenApiSpec } from '../api/resources/openapi.js';
import { getOrg } from '../api/resources/orgs.js';
import { getSite } from '../api/resources/sites.js';
import { getSpace } from '../api/resources/spaces.js';
import { isLoopback } from '../api/transport/base-url.js';
import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { contextOption } from '../cli/declare/standing-flags.js';
import { isOwnHost } from '../cli/resolve/address.js';
import { contextId } from '../cli/run/context.js';
import { askFor } from '../cli/run/prompts.js';
import { DocsError, usageError } from '../errors.js';
import type { Io } from '../io.js';
import { done, oneOf, text } from '../output/printed-shapes.js';

/** `docs open`: a resource in the browser. Only what the platform itself says, only https, no shell. */

interface Urls {
  app?: string;
  published?: string;
}

/** What can be opened: the kind that finds it by its title, and how its `urls` are read. */
const openable: Readonly<Record<string, Openable>> = {
  org: { kind: 'org', read: ({ client }, id) => client.call(getOrg, { path: { organizationId: id } }) },
  space: { kind: 'space', read: ({ client }, id) => client.call(getSpace, { path: { spaceId: id } }) },
  site: {
    kind: 'site',
    read: async ({ client, session }, siteId) =>
      client.call(getSite, { path: { organizationId: await contextId(session, 'org'), siteId } }),
  },
  collection: {
    kind: 'collection',
    read: ({ client }, id) => client.call(getCollection, { path: { collectionId: id } }),
  },
  'change-request': {
    kind: 'change-request',
    read: async ({ client, session }, changeRequestId) =>
      client.call(getChangeRequest, {
        path: { spaceId: await contextId(session, 'space'), changeRequestId },
      }),
  },
  openapi: {
    kind: 'slug',
    read: async ({ client, session }, specSlug) =>
      client.call(getOpenApiSpec, {
        path: { organizationId: await contextId(session, 'org'), specSlug },
      }),
  },
};

interface Openable {
  kind: string;
  read: Read;
}

type Read = (from: { client: Client; session: Session }, id: string) => Promise<{ urls?: Urls }>;

const known = Object.keys(openable).join(', ');

export const open = manual({
  name: 'open',
  summary: 'Open a resource in the browser',
  why: 'Opens the address in the app, or the published one, that the platform gives for the resource.',
  args: {
    '<resource>': {
      description: `One of ${known}`,
      choices: Object.keys(openable),
      closed: true,
      choiceError: 'unknown_resource',
    },
    '<id>': 'Its id',
  },
  options: [
    { name: 'published', boolean: true, description: 'The published address instead of the app' },
    { name: 'print', boolean: true, description: 'Print the address; open nothing' },
    ...(['organizationId', 'spaceId'] as const).map(contextOption),
  ],
  operations: [getOrg, getSpace, getSite, getCollection, getChangeRequest, getOpenApiSpec],
  returns: Type.Union([
    done(oneOf('opened', 'not-opened'), { url: text }),
    Type.String({ description: 'With --print' }),
  ]),
  examples: [
    { run: 'open space s1', does: 'the space in the app' },
    { run: 'open site t1 --published --print', does: 'the address readers use' },
  ],
  async run(session, { args, options }) {
    const { resource, id: typed } = args as { resource?: string; id?: string };
    const { name, kind, read } = await chooseKind(session, resource);
    const { nameOne } = await import('../cli/resolve/naming.js');
    const named = await nameOne(session, { kind, typed, place: '<id>' });
    const { id } = named;
    const { urls } = await read({ client: await session.client(), session: named.session }, id);
    const address = options.published === true ? urls?.published : (urls?.app ?? urls?.published);
    if (address === undefined) throw noAddress(`${name} ${id}`, options.published === true);
    if (options.print === true) return session.printer.text(`${address}\n`);
    const url = checkAddress(address, session, address === urls?.published);
    if (session.globals.dryRun) {
      return session.printer.done({ id, status: 'not-opened', url }, `Dry run: ${url} was not opened.`);
    }
    await startBrowser(session.io, url);
    await session.printer.done({ id, status: 'opened', url }, `Opened ${url}.`);
  },
});

/** What is to be opened; asked for on a terminal. */
async function chooseKind(session: Session, typed: string | undefined) {
  const choices = Object.keys(openable);
  const name = typed ?? (await askFor(session, { what: '<resource>', label: 'Resource to open', choices }));
  return { name, ...(openable[name] as Openable) };
}

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
  const base = session.settings.baseUrl?.value;
  const own = url !== undefined && (published || (base !== undefined && isOwnHost(url.hostname, base)));
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
