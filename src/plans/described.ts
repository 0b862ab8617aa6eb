import { isObject } from '../base/values.js';
import type { PlannedRequest } from '../jobs/request.js';
import { placeFields } from '../jobs/rules/builders.js';
import { held, type State } from '../jobs/state.js';
import { ruleOf } from '../jobs/undo-rules.js';
import type { Found } from './overlay.js';
import type { Action, Draft, PlanOperation } from './plan.js';
import { resourceOf } from './spoken.js';

/** What people read of an operation, where its draft does not say it. */

/** The resource of an operation: `teams`. */
export function kindOf({ op }: PlannedRequest): string {
  return resourceOf(op.id);
}

/** The id that a request names; of a creation what it names itself by. */
export function keyOf({ op, input, id }: PlannedRequest): string {
  if (!ruleOf(op).creates) return id;
  const body = isObject(input.body) ? input.body : {};
  const name = body[ruleOf(op).makes?.key ?? ''] ?? body.title ?? body.label ?? body.name;
  return typeof name === 'string' ? name : id;
}

/** @param found what it finds: setting the role of somebody who is not in the team adds them */
export function actionOf(
  { op }: PlannedRequest,
  { before, wanted }: Pick<Found, 'before' | 'wanted'> = {},
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
export function fieldsOf(draft: Draft, request: PlannedRequest, found: Found): Fields {
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

export function derivedFields({ op, input }: PlannedRequest, { before, wanted }: Found): Fields {
  const body = (isObject(input.body) ? input.body : {}) as Record<string, unknown>;
  if (ruleOf(op).creates) return each(Object.keys(body), undefined, body);
  if (wanted === null) return each(Object.keys(before ?? {}).filter(isOwn), before, undefined);
  const asked = Object.keys(wanted ?? {}).filter(isOwn);
  // Fields that no read shows, such as a logo.
  const others = asked.every((field) => field in body) ? Object.keys(body) : [];
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
        ...(before && name in before && { before: held(before[name] ?? null) }),
        ...(after && name in after && { after: held(after[name]) }),
      },
    ]),
  );
}
