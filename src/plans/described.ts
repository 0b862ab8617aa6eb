import { isObject } from '../base/values.js';
import { type Change, nameIn } from '../jobs/change.js';
import { placeFields } from '../jobs/rules/builders.js';
import { held, type State } from '../jobs/state.js';
import { ruleOf } from '../jobs/undo-rules.js';
import { aboutOperation } from '../model/resources.js';
import type { OperationBasis } from './overlay.js';
import type { Action, ChangeDraft, PlanOperation } from './plan.js';

/** What people read of an operation, where its draft does not say it. */

/** The resource of an operation: `teams`. */
export function kindOf({ op }: Change): string {
  return resourceOf(op.id);
}

/** The id that a request names; of a creation what it names itself by. */
export function keyOf({ op, input, id }: Change): string {
  if (!ruleOf(op).creates) return id;
  const body = isObject(input.body) ? input.body : {};
  const name = body[ruleOf(op).makes?.key ?? ''] ?? nameIn(input);
  return typeof name === 'string' ? name : id;
}

/** @param found what it finds: setting the role of somebody who is not in the team adds them */
export function actionOf(
  { op }: Change,
  { before, wanted }: Pick<OperationBasis, 'before' | 'wanted'> = {},
): Action {
  const rule = ruleOf(op);
  if (rule.creates || (before === null && wanted)) return 'create';
  if (rule.orders) return 'move';
  if (op.method === 'DELETE') return 'delete';
  // A flag that the platform only ever sets: a member's link to SSO. A merge sets a status.
  const setsFlags = Object.values(wanted ?? { unread: true }).every((value) => value === true);
  return rule.oneWay && rule.back === undefined && setsFlags ? 'link' : 'update';
}

type Fields = PlanOperation['fields'];

/** The fields of a draft, or those that the request changes: before from the state, after from the body. */
export function fieldsOf(draft: ChangeDraft, request: Change, found: OperationBasis): Fields {
  const own = derivedFields(request, found);
  if (draft.fields === undefined) return own;
  const known = new Map(Object.entries(own).map(([name, field]) => [foldedField(name), field]));
  return Object.fromEntries(
    Object.entries(draft.fields).map(([name, field]) => {
      const before = known.get(foldedField(name))?.before;
      return [name, 'before' in field || before === undefined ? field : { before, ...field }];
    }),
  );
}

/** `email_domains` and `emailDomains` are one field. */
export function foldedField(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function derivedFields({ op, input }: Change, { before, wanted }: OperationBasis): Fields {
  const body = (isObject(input.body) ? input.body : {}) as Record<string, unknown>;
  if (ruleOf(op).creates) return each(Object.keys(body), undefined, body);
  if (wanted === null) return each(Object.keys(before ?? {}).filter(isOwn), before, undefined);
  const asked = Object.keys(wanted ?? {}).filter(isOwn);
  // Fields that no read shows, such as a logo.
  const others = asked.every((field) => Object.hasOwn(body, field)) ? Object.keys(body) : [];
  return each([...new Set([...asked, ...others])], before, { ...wanted, ...body });
}

function isOwn(field: string): boolean {
  return !(placeFields as readonly string[]).includes(field);
}

function each(names: readonly string[], before: State | undefined, after: State | undefined): Fields {
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        ...(before && Object.hasOwn(before, name) && { before: held(before[name] ?? null) }),
        ...(after && Object.hasOwn(after, name) && { after: held(after[name]) }),
      },
    ]),
  );
}

/**
 * How descriptions of operations may differ from the words of their requests: kinds of the organization as code and of
 * workflows beside the resource of an operation, names of fields beside those of bodies, and what goes without saying.
 */

/** Kinds beside those of the resource of an operation, by operation or its first word. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'section-groups.add': ['sections'],
  'section-groups.remove': ['sections'],
  // A space that is gone for good comes back as an empty one, which only a new site brings.
  'sites.create': ['spaces'],
  'change-request-content': ['change-requests'],
  // The read that proves a version of a site.
  'site-spaces.list': ['sites'],
};

/** The resource of an operation: `teams`. */
function resourceOf(operation: string): string {
  return operation.slice(0, operation.indexOf('.'));
}

/** What an operation may be said to be about. */
export function kindsOf(operation: string): readonly string[] {
  const resource = resourceOf(operation);
  const inFiles = aboutOperation(operation)?.resource.printed.files ?? [];
  return [resource, inFiles, kinds[resource] ?? [], kinds[operation] ?? []].flat();
}

/** How a description tells fields of a body: by their names, and by the names of the things whose ids they hold. */
interface Telling {
  /** The fields of the body; none where the path or the operation itself says it. */
  of: readonly string[];
  /** Told by a key or a title, where the body has an id. */
  byName?: true;
}

const named = (...of: string[]): Telling => ({ of, byName: true });

/** Names of fields in descriptions beside those of the body, by operation. */
const fields: Readonly<Record<string, Readonly<Record<string, Telling>>>> = {
  'adaptive-schemas.set': { schema: { of: ['jsonSchema'] } },
  'change-request-comments.create': { warning: { of: ['body'] } },
  'change-request-content.import': { content: { of: ['url'] } },
  'openapi.create': { url: { of: ['source'] } },
  'openapi.set': { url: { of: ['source'] } },
  'orgs.update': { default_site: named('defaultContent') },
  'saml.create': { default_team: named('defaultTeam') },
  'saml.update': { default_team: named('defaultTeam') },
  'section-groups.add': { parent: named(), section: named('sectionId') },
  'section-groups.remove': { parent: named() },
  'sections.create': { space: named('spaceId') },
  'sections.update': { default: named('defaultSiteSpace'), defaultSiteSpace: named('defaultSiteSpace') },
  'site-spaces.create': { space: named('spaceId') },
  'sites.create': { from: named() },
  'sites.update': {
    default: named('defaultSiteSection', 'defaultSiteSpace'),
    defaultSiteSection: named('defaultSiteSection'),
    defaultSiteSpace: named('defaultSiteSpace'),
  },
  'spaces.duplicate': { copyOf: named() },
  'spaces.restore': { title: named(), from: named() },
};

/** The same for every move. */
const places: Readonly<Record<string, Telling>> = {
  place: named('position'),
  before: named('position'),
  parent: named('parent'),
};

/** How a field of a description tells the body; undefined where it has the name of the body's own field. */
export function tellingOf(operation: string, field: string): Telling | undefined {
  const moves = operation.endsWith('.move') ? places : {};
  const known: Readonly<Record<string, Telling>> = { ...moves, ...fields[operation] };
  return Object.hasOwn(known, field) ? known[field] : undefined;
}

/** What a creation sends beside what it tells: the place of what it makes, which path and key name. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  'change-request-content.import': ['source'],
  'collections.create': ['parent'],
  'custom-fields.create': ['name'],
  'openapi.create': ['slug'],
  'section-groups.add': ['sectionId'],
  'section-groups.create': ['sections'],
  'sections.create': ['spaceId'],
  'site-spaces.create': ['spaceId', 'sectionId'],
  'sites.create': ['type', 'spaces', 'visibility'],
};

/** The fields of a body that a description may leave out. */
export function isUnsaid(operation: string, field: string): boolean {
  return unsaid[operation]?.includes(field) === true;
}
