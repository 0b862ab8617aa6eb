import { isLoopback } from '../../api/transport/address.js';
import { usageError } from '../../base/errors.js';
import { operationsOf } from '../../model/operations.js';
import type { Resource } from '../../model/resources.js';
import { canBeId } from './id-places.js';
import type { Parents } from './list-resources.js';

/** Addresses of resources, as people copy them from a browser or an answer: `urls.app`, `urls.location`. */

/**
 * The id in an address of the profile's own platform, and the parents it names. What an address shows below
 * a resource, such as a page of a space, is an address of the resource, too. Nothing is sent.
 * @throws DocsError usage `foreign_address`, `other_address`
 */
export function readAddress(
  address: string,
  wanted: Resource,
  baseUrl: string | undefined,
): { id: string; parents: Parents } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || baseUrl === undefined || !isOwnHost(url.hostname, baseUrl)) {
    const message = `${address} is not an address of your platform.`;
    throw usageError('foreign_address', message, { hint: 'docs status' });
  }
  const path = url.pathname.replace(new URL(baseUrl).pathname.replace(/\/+$/, ''), '');
  for (const template of templatesOf(wanted)) {
    const found = match(template, path.startsWith('/v1/') ? path : url.pathname);
    const { [wanted.parameter]: id, ...parents } = found ?? {};
    if (id !== undefined) return { id, parents };
  }
  throw usageError('other_address', `${address} is not an address of a ${wanted.noun}.`);
}

/** Paths of the API and of the app that lead to a resource, the most specific first. */
function templatesOf({ parameter, gets, lists, app }: Resource): string[] {
  const paths = (ids: readonly string[]) => operationsOf(ids).map(({ path }) => path);
  const own = gets.length > 0 ? paths(gets) : paths(lists).map((path) => `${path}/{${parameter}}`);
  return [...own, ...app];
}

/** The values of a template's names, where the path begins as the template is. */
function match(template: string, path: string): Record<string, string> | undefined {
  const given = path.split('/');
  const found: Record<string, string> = {};
  for (const [index, segment] of template.split('/').entries()) {
    const value = given[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : !canBeId(value)) return undefined;
    if (name !== undefined) found[name] = value;
  }
  return found;
}

/** Domains under which anybody can have a name of their own, so that they tell nothing: `co.uk`. */
const publicEnding = /^(?:co|com|org|net|gov|edu|ac)\.[a-z]{2}$/;

/**
 * Whether a host belongs to the platform: its API at api.example.com has its app at example.com or
 * below it. The hosts of every sandbox are those of sandbox.example, whatever its port.
 */
export function isOwnHost(host: string, baseUrl: string): boolean {
  const base = new URL(baseUrl).hostname;
  if (isLoopback(base) && (host === 'sandbox.example' || host.endsWith('.sandbox.example'))) return true;
  const [first = '', ...rest] = base.split('.');
  const parent = rest.join('.');
  const isApi = /\bapi\b/.test(first) && rest.length > 1 && !publicEnding.test(parent);
  const domain = isApi ? parent : base;
  const isName = /[a-z]/.test(base) && !base.includes(':');
  return host === base || (isName && (host === domain || host.endsWith(`.${domain}`)));
}
