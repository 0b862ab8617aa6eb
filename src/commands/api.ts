import type { TransportRequest, TransportResponse } from '../api/transport.js';
import { Type } from '../api/type.js';
import { DocsError, usageError } from '../base/errors.js';
import { defined } from '../base/values.js';
import type { ManualInput } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/option.js';

import type { Session } from '../cli/declare/session.js';
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
  returns: Type.Unknown({ description: 'The response; with --paginate, the items as one list' }),
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
    const changes = request.method !== 'GET';
    const isSent = session.savePlan === undefined && !(changes && session.globals.dryRun);
    if (isSent && input.options.paginate === true) return paginate(session, request);
    const response = await (changes || session.savePlan !== undefined
      ? changeBy(session, input, request)
      : (await session.client()).send(request)
    ).catch(async (cause: unknown) => {
      if (!(cause instanceof DocsError)) throw cause;
      throw await withPathHint(cause, request, session.io.platform);
    });
    if (response === undefined) return;
    if (input.options.include === true) return printWhole(session, response);
    if (response.body !== undefined) await session.printer.value(response.body);
  },
});

/** A change is a job with a journal; the request itself is sent as it was typed, and nothing else. */
async function changeBy(
  session: Session,
  input: ManualInput,
  request: TransportRequest,
): Promise<TransportResponse | undefined> {
  const { changeByRequest } = await import('../cli/run/raw-request.js');
  return changeByRequest(session, input, request);
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
  if (request.method !== 'GET') throw usageError('contradiction', '--paginate is for GET requests');
  const client = await session.client({ timeoutPerRequest: true });
  const view = { columns: [{ path: 'id' }, { path: 'title' }], fields: ['id', 'title'], open: [''] };
  await session.printer.list(client.pagesOf(request), view);
}
