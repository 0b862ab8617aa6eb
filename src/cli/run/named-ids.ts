import type { Client } from '../../api/client.js';
import { isObject } from '../../base/values.js';
import { isShownReference, showReferences } from '../../jobs/references.js';
import type { PlannedRequest } from '../../jobs/request.js';
import { type ResourceName, resourceOfBodyField, resourceOfField, resources } from '../../model/resources.js';
import { knownOf } from '../resolve/find-by-title.js';
import { learnAll, type Named } from './named-drafts.js';

/** The names of all ids that requests hold, in paths and bodies, as the platform shows them now. */

/** What an id stands for. */
export interface NamedId {
  id: string;
  kind: ResourceName;
  /** What people call it: title, email; none where it cannot be read. */
  names: readonly string[];
}

/**
 * @param organizationId where requests do not name one
 * @throws DocsError where the platform is out of reach
 */
export async function namesOf(
  client: Client,
  requests: readonly PlannedRequest[],
  organizationId: string | undefined,
): Promise<Map<string, NamedId>> {
  const around: Record<string, string> = organizationId === undefined ? {} : { organizationId };
  const found = new Map<string, NamedId>();
  const named = requests.flatMap((request) => namedIn(request, around));
  for (const { kind, id } of named) found.set(id, { id, kind: kind.name as ResourceName, names: [] });
  await learnAll(client, named, {
    has: (id) => (found.get(id)?.names.length ?? 0) > 0,
    keep(item, kind, id) {
      const { title, also } = knownOf(item, kind);
      const isEmail = kind.name === 'member' && also.includes('@');
      const names = (isEmail ? [also, title] : [title]).filter((name) => name !== '');
      found.set(id, { id, kind: kind.name as ResourceName, names });
    },
  });
  return found;
}

function namedIn(request: PlannedRequest, around: Readonly<Record<string, string>>): Named[] {
  const input = showReferences(request.input);
  const path = { ...around, ...input.path };
  const own = Object.entries(input.path ?? {}).flatMap(([field, id]) => of(resourceOfField(field), id, path));
  return [...own, ...inBody(input.body, undefined, path)];
}

function of(name: ResourceName | undefined, id: string, path: Readonly<Record<string, string>>): Named[] {
  if (name === undefined || resources[name].selfNamed || isShownReference(id)) return [];
  const kind = resources[name];
  return [{ kind, id, path: { ...path, [kind.parameter]: id } }];
}

function inBody(value: unknown, field: string | undefined, path: Readonly<Record<string, string>>): Named[] {
  const kind = field === undefined ? undefined : resourceOfBodyField(field);
  if (typeof value === 'string') return of(kind, value, path);
  if (Array.isArray(value)) return value.flatMap((item) => inBody(item, field, path));
  if (!isObject(value)) return [];
  if (field === 'memberships') return Object.keys(value).flatMap((id) => of(kind, id, path));
  return Object.entries(value).flatMap(([name, part]) => inBody(part, name, path));
}
