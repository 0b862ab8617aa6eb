import { operations } from '../../api/resources/index.js';
import { getSite } from '../../api/resources/sites.js';
import type { Role } from '../../api/shapes.js';
import { rankOf } from '../levels.js';

/** The operations on a site and on what is in it, by id. */
const onSites = operations.filter(({ path }) => path === getSite.path || path.startsWith(`${getSite.path}/`));

/** Ids of the operations on a site that an organization role permits, as they are declared. */
export function permitsOf(role: Role): string[] {
  return onSites.filter(({ needs }) => rankOf(needs) <= rankOf(role)).map(({ id }) => id);
}

/** How many there are. */
export const siteOperations = onSites.length;
