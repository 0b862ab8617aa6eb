import type { LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { isObject } from '../base/values.js';
import { sealedFields, withoutSealed } from './environment.js';
import type { Change, Forecast, NoWayBack, Rule, WayBack } from './rule.js';
import { ruleOf } from './undo-rules.js';

/**
 * Undo of changes that set fields from the environment. The journal does not hold what was in these fields, so
 * they stay as they are.
 */

/** What undo will be able to do about a request, given what it could do if it kept all fields. */
export function sealedForecast(op: AnyOperation, input: LooseInput, forecast: Forecast): Forecast {
  const rule = ruleOf(op);
  const sealed = sealedFields({ input }, rule);
  if (sealed.size === 0 || rule.creates || forecast.undo === 'none') return forecast;
  const why = whyLost([...sealed.keys()]);
  if (isEmpty(withoutSealed(input.body, sealed))) return { undo: 'none', why };
  return { undo: 'best-effort', why: [forecast.why, why].filter((one) => one !== undefined).join('; ') };
}

/** The way back of a change, as its rule says, without these fields. */
export function sealedBack(rule: Rule, change: Change): WayBack | NoWayBack {
  const { input } = change;
  const sealed = sealedFields(change, rule);
  const wayBack = (own: Change) => rule.back?.(own) ?? noOperation;
  if (sealed.size === 0) return wayBack(change);
  if (rule.creates) {
    const back = wayBack(change);
    return back.undo === 'none' ? back : { ...back, expect: withoutSealed(back.expect, sealed) };
  }
  const why = whyLost([...sealed.keys()]);
  const body = withoutSealed(input.body, sealed);
  if (isEmpty(body)) return { undo: 'none', why };
  const back = wayBack({ ...change, input: { ...input, body } });
  const reasons = [back.why, why].filter((one) => one !== undefined).join('; ');
  return back.undo === 'none' ? { ...back, why: reasons } : { ...back, undo: 'best-effort', why: reasons };
}

const noOperation: NoWayBack = { undo: 'none', why: 'no operation undoes it' };

function isEmpty(body: unknown): boolean {
  return !isObject(body) || Object.keys(body).length === 0;
}

function whyLost(fields: readonly string[]): string {
  return `${fields.join(', ')} came from the environment, and the journal does not hold what was there before`;
}
