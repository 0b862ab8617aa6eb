import { spawn } from 'node:child_process';
import { callOne } from '../api/call-loose.js';
import { type AnyOperation, pathParameters } from '../api/operation.js';
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
import { contextOption, option } from '../cli/declare/standing-flags.js';
import { isOwnHost } from '../cli/resolve/address.js';
import { type Kind, kinds } from '../cli/resolve/catalogue.js';
import { contextId } from '../cli/resolve/context.js';
import { operationsOf } from '../cli/resolve/listing.js';
import { askFor } from '../cli/resolve/prompts.js';
import { DocsError, usageError } from '../errors.js';
import type { Io } from '../io.js';
import { done, oneOf, text } from '../output/printed-shapes.js';

/** `docs open`: a resource in the browser. Only what the platform itself says, only https, no shell. */

interface Urls {
  app?: string;
  published?: string;
}

/** What can be opened, by the word for it. */
const openable = new Map(kinds.flatMap((kind) => (kind.opens === undefined ? [] : [[kind.opens, kind]])));
const known = [...openable.keys()];

export const open = manual({
  name: 'open',
  summary: 'Open a resource in the browser',
  why: 'Opens the app address of a resource, or its published address with --published.',
  args: {
    '<resource>': {
      description: `One of ${known.join(', ')}`,
      choices: known,
      closed: true,
      choiceError: 'unknown_resource',
    },
    '<id>': { description: 'Its id', kindIn: 'resource' },
  },
  options: [
    option('--published', 'The published address instead of the app'),
    option('--print', 'Print the address; open nothing'),
    ...(['organizationId', 'spaceId'] as const).map(contextOption),
  ],
  operations: [getOrg, getSpace, getSite, getCollection, getChangeRequest, getOpenApiSpec],
  returns: Type.Union([
    done(oneOf('opened', 'not-opened'), { url: text }),
    Type.String({ description: 'With --print' }),
  ]),
  examples: {
    'open space s1': 'open a space in the app',
    'open site t1 --published --print': 'print the published address of a site',
  },
  async run(session, { args, options }) {
    const { resource, id: typed } = args as { resource?: string; id?: string };
    const [name, kind] = await chooseKind(session, resource);
    const { nameOne } = await import('../cli/resolve/naming.js');
    const named = await nameOne(session, { kind, typed, place: '<id>' });
    const { id } = named;
    const { urls } = await read(named.session, kind, id);
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
async function chooseKind(session: Session, typed: string | undefined): Promise<[string, Kind]> {
  const name =
    typed ?? (await askFor(session, { what: '<resource>', label: 'Resource to open', choices: known }));
  return [name, openable.get(name) as Kind];
}

/** Reads a resource for its addresses. @throws usage where a parent is missing */
async function read(session: Session, { gets, parameter }: Kind, id: string): Promise<{ urls?: Urls }> {
  const [op] = operationsOf(gets) as [AnyOperation];
  const path: Record<string, string> = {};
  for (const name of pathParameters(op.path)) {
    if (name === parameter) path[name] = id;
    else path[name] = await contextId(session, name === 'spaceId' ? 'space' : 'org');
  }
  return (await callOne(await session.client(), { op, input: { path } })) as { urls?: Urls };
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
