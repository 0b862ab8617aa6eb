import { callOne } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { pathParameters } from '../api/operation-facts.js';
import { getChangeRequest } from '../api/resources/change-requests.js';
import { getCollection } from '../api/resources/collections.js';
import { getOpenApiSpec } from '../api/resources/openapi.js';
import { getOrg } from '../api/resources/orgs.js';
import { getSite } from '../api/resources/sites.js';
import { getSpace } from '../api/resources/spaces.js';
import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import { contextOption } from '../cli/declare/flags.js';
import { option } from '../cli/declare/option.js';
import type { Session } from '../cli/declare/session.js';
import { contextId } from '../cli/resolve/resolve-ids.js';
import { addressOf, showInBrowser, type Urls } from '../cli/run/browser.js';
import { operationsOf } from '../model/operations.js';
import { namedResources, type Resource } from '../model/resources.js';
import { done, oneOf, text } from '../output/printed-shapes.js';

/** What can be opened, by the word for it. */
const openable = new Map(
  namedResources.flatMap((kind) => (kind.opens === undefined ? [] : [[kind.opens, kind]])),
);
const known = [...openable.keys()];

export const open = manual({
  name: 'open',
  summary: 'Open a resource in the browser',
  why:
    'Opens the app address of a resource, or its published address with --published; prints it if no ' +
    'browser starts.',
  args: {
    '<resource>': {
      description: `Kind of resource: ${known.join(', ')}`,
      choices: known,
      closed: true,
      choiceError: 'unknown_resource',
    },
    '<id>': { description: 'Id of the resource', kindIn: 'resource' },
  },
  options: [
    option('--published', 'Open the published address, not the app'),
    option('--print', 'Print the address instead of opening it'),
    ...(['organizationId', 'spaceId'] as const).map(contextOption),
  ],
  operations: [getOrg, getSpace, getSite, getCollection, getChangeRequest, getOpenApiSpec],
  returns: Type.Union([
    done(oneOf('opened', 'not-opened'), { url: text }),
    Type.String({ description: 'With --print' }),
  ]),
  examples: {
    'open space s1': 'open a space in the app',
    'open site w1 --published --print': 'print the published address of a site',
  },
  actsHere: 'print',
  here: { runs: ['browser'] },
  async run(session, { args, options }) {
    const { resource, id: typed } = args as { resource: string; id?: string };
    const kind = openable.get(resource) as Resource;
    const { idOf } = await import('../cli/resolve/fill-ids.js');
    const named = await idOf(session, { kind, typed, place: '<id>' });
    const { id } = named;
    const { urls } = await read(named.session, kind, id);
    const found = addressOf(`${resource} ${id}`, urls, options.published === true);
    if (options.print === true) return session.printer.text(`${found.address}\n`);
    await showInBrowser(named.session, { id, ...found });
  },
});

/** Reads a resource for its addresses. @throws usage where a parent is missing */
async function read(session: Session, { gets, parameter }: Resource, id: string): Promise<{ urls?: Urls }> {
  const [op] = operationsOf(gets) as [AnyOperation];
  const path: Record<string, string> = {};
  for (const name of pathParameters(op.path)) {
    if (name === parameter) path[name] = id;
    else path[name] = await contextId(session, name === 'spaceId' ? 'space' : 'org');
  }
  return (await callOne(await session.client(), { op, input: { path } })) as { urls?: Urls };
}
