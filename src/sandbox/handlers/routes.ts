import { readFileSync } from 'node:fs';
import type { Handler } from '../handle.js';
import type { Download } from '../server/tokens.js';
import type { FileName, RouteRecord } from './all-routes.js';
import type { ResourceModule } from './index.js';

/**
 * What a server knows of all operations before it loads any of them: a record, which the build makes. `docs --sandbox`
 * answers one request, so it loads the declarations and handlers of that one alone.
 */

/** The files of handlers, each loaded by the first request to it. */
const files: Record<FileName, () => Promise<ResourceModule>> = {
  changeRequests: () => import('./change-requests.js'),
  collections: () => import('./collections.js'),
  comments: () => import('./comments.js'),
  content: () => import('./content.js'),
  customFields: () => import('./custom-fields.js'),
  openapi: () => import('./openapi.js'),
  orgs: () => import('./orgs.js'),
  people: () => import('./people.js'),
  placedSpaces: () => import('./placed-spaces.js'),
  saml: () => import('./saml.js'),
  search: () => import('../content/search.js'),
  siteStructure: () => import('./site-structure.js'),
  sites: () => import('./sites.js'),
  spaces: () => import('./spaces.js'),
  translations: () => import('./translations.js'),
};

/** Set at build time; undefined where the sources run as they are. */
declare const __DOCS_BUILT__: true | undefined;

/** The file of the record, beside the program. */
export const routesFile = 'records/sandbox.routes.json';

/** The routes of all operations and downloads. */
export async function routeRecords(): Promise<readonly RouteRecord[]> {
  return typeof __DOCS_BUILT__ === 'undefined'
    ? (await import('./all-routes.js')).allRoutes()
    : (JSON.parse(readFileSync(`${import.meta.dirname}/${routesFile}`, 'utf8')) as RouteRecord[]);
}

/** What answers at a route; undefined where nothing does. */
export async function handlerAt({ file, id }: RouteRecord): Promise<Handler | undefined> {
  if (file === undefined) return undefined;
  const { handlers } = await files[file]();
  return handlers.find(({ operation }) => operation.id === id);
}

/** @throws Error where there is none */
export async function downloadAt({ file, path: at }: RouteRecord): Promise<Download> {
  const { downloads = [] } = file === undefined ? {} : await files[file]();
  const download = downloads.find(({ path }) => path === at);
  if (download === undefined) throw new Error(`There is no download at ${at}.`);
  return download;
}
