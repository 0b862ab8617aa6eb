import type { TransportRequest, TransportResponse } from '../api/transport.js';
import { Type } from '../api/type.js';
import { DocsError, usageError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/flags.js';
import type { Session } from '../cli/declare/session.js';
import { confirmRequest } from '../cli/run/confirm.js';
import { checkedPath, requestOf, withPathHint } from '../cli/run/typed-request.js';

export const api = manual({
  name: 'api',
  summary: 'Send a request to the platform',
  why:
    'The path is appended to the address of the platform; {org}, {space} and {site} are replaced from your ' +
    'context. Fields go into the query of a GET, otherwise into the JSON body; with fields the default ' +
    'method is POST.',
  args: {
    '<method-or-path>': {
      description: 'Path such as /v1/orgs, or a method before it',
      check: async () => (typed, session) => checkedPath(session, typed),
    },
    '[path]': 'Path, after a method',
  },
  options: [
    option('-f, --raw-field <key=value>...', 'Field as text'),
    option(
      '-F, --field <key=value>...',
      'Field as JSON such as true or 5, else as text; @file and @- read text',
      { reads: 'pair' },
    ),
    option('--input <file|->', 'JSON body', { reads: 'path' }),
    option('-H, --request-header <name:value>...', 'Additional header'),
    option('-i, --include', 'Show status and headers too'),
    option('--paginate', 'Follow all pages; print the items as one list'),
  ],
  returns: Type.Unknown({ description: 'What the platform answers; with --paginate the items as one list' }),
  anyRequest: true,
  examples: {
    'api /v1/orgs': 'send a GET',
    'api PATCH /v1/spaces/s1 -f title=Handbook': 'send a PATCH with a field',
    "api --paginate '/v1/orgs/{org}/members?role=admin' -o id": 'print the ids of all pages of a list',
  },
  danger: 'change',
  carrier: true,
  plannable: true,
  async run(session, input) {
    const request = await requestOf(session, input);
    if (session.savePlan !== undefined) {
      const { planRawRequest } = await import('../cli/run/raw-request.js');
      return planRawRequest(session, request);
    }
    if (request.method !== 'GET' && session.globals.dryRun) {
      const { method, path, body } = request;
      await session.printer.value(defined({ method, path, body }));
      session.printer.note('Dry run: the request is shown above; nothing was sent.');
      const told = await (await import('../cli/run/confirm.js')).toldOfRequest(session, request);
      if (told.length > 0) session.printer.warn(told.join('\n'));
      return (await import('../cli/run/foretell.js')).warnOfRequest(session, request);
    }
    await confirmRequest(session, request);
    if (input.options.paginate === true) return paginate(session, request);
    const shows = input.options.include === true;
    const response = await sendRequest(session, request, shows).catch(async (cause: unknown) => {
      if (!(cause instanceof DocsError)) throw cause;
      throw await withPathHint(cause, request, session.io.platform);
    });
    if (shows) return printWhole(session, response);
    if (response.body !== undefined) await session.printer.value(response.body);
  },
});

/** A change is a job with a journal; the request itself is sent as it was typed, and nothing else. */
async function sendRequest(
  session: Session,
  request: TransportRequest,
  showsHeaders: boolean,
): Promise<TransportResponse> {
  if (request.method === 'GET') return (await session.client()).send({ ...request, showsHeaders });
  const { sendRawRequest } = await import('../cli/run/raw-request.js');
  return sendRawRequest(session, request);
}

/** Status, headers and body: as one value for programs, as text for people. */
async function printWhole(session: Session, response: TransportResponse): Promise<void> {
  const { status, headers, body } = response;
  const { output, jq, fields, header } = { ...session.globals, output: session.settings.output };
  const asValue = [output, jq, fields, header].some((asked) => asked !== undefined);
  if (asValue) return session.printer.value(defined({ status, headers, body }));
  await session.printer.text(head(response));
  if (body !== undefined) await session.printer.value(body);
}

function head(response: TransportResponse): string {
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP ${response.status}`, ...headers].join('\n')}\n\n`;
}

/** Follows `next.page`; it is only ever a query value of the same path. */
async function paginate(session: Session, request: TransportRequest): Promise<void> {
  if (request.method !== 'GET') throw usageError('contradiction', '--paginate is for GET requests.');
  const client = await session.client({ timeoutPerRequest: true });
  const view = { columns: [{ path: 'id' }, { path: 'title' }], fields: ['id', 'title'], open: [''] };
  await session.printer.list(client.pagesOf(request), view);
}
