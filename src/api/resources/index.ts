import { decodePercent } from '../../base/values.js';
import type { LooseInput, PreparedRequest } from '../client.js';
import { type AnyOperation, operationsIn } from '../operation.js';
import * as adaptiveSchemas from './adaptive-schemas.js';
import * as changeRequests from './change-requests.js';
import * as collections from './collections.js';
import * as comments from './comments.js';
import * as content from './content.js';
import * as customFields from './custom-fields.js';
import * as members from './members.js';
import * as openapi from './openapi.js';
import * as orgs from './orgs.js';
import * as publishedSites from './published-sites.js';
import * as saml from './saml.js';
import * as sections from './sections.js';
import * as siteSpaces from './site-spaces.js';
import * as sites from './sites.js';
import * as spaces from './spaces.js';
import * as teams from './teams.js';
import * as translations from './translations.js';

/** The resources of each file of declarations. Everything else is derived from the declarations. */
const declared: readonly [file: object, ...resources: string[]][] = [
  [orgs, 'orgs'],
  [members, 'invites', 'members'],
  [teams, 'teams'],
  [members, 'team-members'],
  [saml, 'saml', 'sso'],
  [translations, 'translations'],
  [customFields, 'custom-fields'],
  [openapi, 'openapi', 'openapi-versions'],
  [collections, 'collections'],
  [spaces, 'spaces'],
  [customFields, 'space-fields'],
  [content, 'content'],
  [comments, 'comments', 'comment-replies'],
  [changeRequests, 'change-requests', 'change-request-content'],
  [comments, 'change-request-comments', 'change-request-comment-replies'],
  [sites, 'sites'],
  [adaptiveSchemas, 'adaptive-schemas'],
  [publishedSites, 'sites'],
  [sections, 'sections', 'section-groups'],
  [siteSpaces, 'site-spaces'],
];

/** All operations of the platform, in the order of their resources. */
export const operations: readonly AnyOperation[] = declared.flatMap(([file, ...resources]) => {
  const own = operationsIn(file);
  return resources.flatMap((resource) => own.filter(({ id }) => id.split('.')[0] === resource));
});

/** An operation and its input. */
export interface Operated {
  op: AnyOperation;
  input: LooseInput;
  /** The id that names the item: the last path parameter; '' where the path has none. */
  id: string;
}

/** The operation that a request calls, with its input; undefined where none has its method and path. */
export function operationAt({ method, path, body }: PreparedRequest): Operated | undefined {
  const [pathname = '', search = ''] = path.split('?');
  for (const op of operations) {
    const values = op.method === method ? pathValues(op, pathname) : undefined;
    if (values === undefined) continue;
    const input: LooseInput = { path: values, query: queryOf(search), body };
    return { op, input, id: Object.values(values).at(-1) ?? '' };
  }
  return undefined;
}

/**
 * The operation that some servers would find at a path that has none as it stands: with other capitals, with a slash
 * too many, or one at its end.
 */
export function likelyOperation({ method, path }: PreparedRequest): AnyOperation | undefined {
  const [pathname = ''] = path.split('?');
  const given = pathname.split('/').filter((part) => part !== '');
  return operations.find((op) => {
    const wanted = op.path.split('/').slice(1);
    if (op.method !== method || wanted.length !== given.length) return false;
    return wanted.every((part, at) => {
      const text = decodePercent(given[at] ?? '');
      return part.startsWith('{') || part.toLowerCase() === text.toLowerCase();
    });
  });
}

/** The path parameters, where the path matches that of the operation. */
function pathValues(op: AnyOperation, pathname: string): Record<string, string> | undefined {
  const [wanted, given] = [op.path.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const text = given[at] ?? '';
    // A letter that is percent-encoded is that letter.
    if (name === undefined ? part !== decodePercent(text) : text === '') return undefined;
    if (name !== undefined) values[name] = decodePercent(text);
  }
  return values;
}

function queryOf(search: string): Record<string, string[]> {
  const query = new URLSearchParams(search);
  return Object.fromEntries([...new Set(query.keys())].map((key) => [key, query.getAll(key)]));
}
