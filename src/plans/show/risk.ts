import type { LooseInput } from '../../api/client.js';
import { exposuresOf } from '../../jobs/exposure.js';
import { isOperation, operationOf } from '../../jobs/operation-of.js';
import { foldedField } from '../described.js';
import { namedIn } from '../placeholders.js';
import type { PlanOperation } from '../plan.js';

/** Where to look twice: what the plan says, and what its request exposes, whether the plan says that or not. */
export function riskOf({ request, risk, key, fields, reads }: PlanOperation): string | undefined {
  // What the plan itself makes, nobody sees yet.
  if (request === undefined || !isOperation(request.operation) || namedIn(request.parameters).length > 0)
    return risk;
  const { parameters, body } = request;
  const input: LooseInput = { path: parameters as Record<string, string>, body };
  const before = Object.keys(body ?? {}).flatMap((name) => {
    const own = Object.entries(fields).find(([field]) => foldedField(field) === foldedField(name));
    return own !== undefined && 'before' in own[1] ? [[name, own[1].before] as const] : [];
  });
  const state = { ...Object.fromEntries(before), ...reads?.state };
  const exposed = exposuresOf({ op: operationOf(request.operation), input, name: key, before: state });
  const added = exposed.filter((sentence) => risk?.includes(sentence) !== true);
  return [risk, ...added].filter(Boolean).join(' ') || undefined;
}
