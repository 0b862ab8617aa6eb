import { kindOf } from '../../../src/organization/kinds/index.js';
import type {
  Address,
  Desired,
  DesiredItem,
  Guards,
  KindName,
  Live,
  LiveItem,
  Scope,
} from '../../../src/organization/model.js';
import { type Planned, planOrganization } from '../../../src/organization/planner/plan.js';
import type { PlanOptions } from '../../../src/organization/planner/world.js';
import type { Lock } from '../../../src/plans/lock.js';

/** Small organizations, as files and as the platform shows them. */

const at = { file: 'teams.yaml', line: 1, column: 1, path: '' };

/** An item of the files from its address. */
export function wanted(
  address: Address,
  fields: Readonly<Record<string, unknown>> = {},
  more: Partial<DesiredItem> = {},
): DesiredItem {
  const kind = address.slice(0, address.indexOf('/')) as KindName;
  const key = address.slice(address.lastIndexOf('/') + 1);
  return {
    kind,
    address,
    key,
    index: 0,
    fields,
    protected: false,
    external: false,
    at,
    places: {},
    ...more,
  };
}

export function files(
  items: readonly DesiredItem[],
  more: { exact?: readonly KindName[]; scopes?: readonly Scope[]; guards?: Guards } = {},
): Desired {
  const { exact = [], scopes = [], guards = {} } = more;
  const counts = new Map<string, number>();
  const numbered = items.map((item) => {
    const place = item.parent ?? 'root';
    const index = counts.get(place) ?? 0;
    counts.set(place, index + 1);
    return { ...item, index };
  });
  return {
    items: new Map(numbered.map((item) => [item.address, item])),
    scopes: [...scopes, ...exact.map((kind): Scope => ({ kinds: [kind], manage: 'exact', at }))],
    guards,
  };
}

/** An item of the platform: unset fields are null, as in what is read. */
export function there(
  kind: KindName,
  id: string,
  fields: Readonly<Record<string, unknown>> = {},
  more: Partial<LiveItem> = {},
): LiveItem {
  const all = Object.fromEntries(kindOf(kind).fields.map(({ key }) => [key, fields[key] ?? null]));
  const title = String(fields.title ?? fields.label ?? '');
  return { kind, id, index: 0, fields: all, title, resource: { id }, ...more };
}

/** @param kinds those that were read, beside those of the items */
export function platform(items: readonly LiveItem[], kinds: readonly KindName[] = []): Live {
  const byKind = new Map<KindName, LiveItem[]>(kinds.map((kind) => [kind, []]));
  for (const item of items) byKind.set(item.kind, [...(byKind.get(item.kind) ?? []), item]);
  return { organizationId: 'o1', items: byKind, missed: [] };
}

export function person(email: string, role: string, more: Readonly<Record<string, unknown>> = {}): LiveItem {
  const id = `u-${email.split('@')[0]?.toLowerCase()}`;
  const item = there('people', id, { role, sso: false, ...more }, { natural: email, title: email });
  return { ...item, resource: { id, ...(more.disabled === true && { disabled: true }) } };
}

export function lockOf(items: Lock['items']): Lock {
  return { version: 1, org: 'o1', origin: 'https://api.example', items };
}

export function plan(desired: Desired, live: Live, lock?: Lock, options: Partial<PlanOptions> = {}): Planned {
  const usual: PlanOptions = { prune: false, take: new Map(), env: {} };
  return planOrganization(desired, live, lock, { ...usual, ...options });
}

/** Each draft in a line: `create teams/writers PUT /v1/orgs/o1/teams {"title":"Writers"}`. */
export function lines({ drafts }: Planned): string[] {
  return drafts.map(({ kind, key, action, change, finding }) => {
    if (change === undefined) return `${action} ${kind}/${key} ${finding?.code}`;
    const { op, input } = change;
    const path = op.path
      .replace(/^\/v1\/orgs\/\{organizationId\}/, '')
      .replace(/\{(\w+)\}/g, (_, name: string) => {
        const value: unknown = input.path?.[name];
        return typeof value === 'string' ? value : `<${JSON.stringify(value)}>`;
      });
    const body = input.body === undefined ? '' : ` ${JSON.stringify(input.body)}`;
    return `${action} ${kind}/${key} ${op.method} ${path}${body}`;
  });
}
