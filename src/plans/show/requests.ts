import { formatJson } from '../../api/transport/json-text.js';
import { isObject } from '../../is-object.js';
import { isRawNumber } from '../../output/json.js';
import { withPlaceholders } from '../placeholders.js';
import type { PlanOperation } from '../plan.js';
import { isFromEnvironment } from '../secrets.js';

/**
 * What an operation sends, whole, in one line: its description is what the maker of the plan says of it, and this is
 * what the platform gets. Not sanitised; undefined where it sends nothing.
 */
export function requestText({ request }: Pick<PlanOperation, 'request'>): string | undefined {
  if (request === undefined) return undefined;
  const { method, path, query, body } = request;
  const asJson = (value: unknown) => formatJson(named(withPlaceholders(value)));
  const asked = query === undefined ? [] : [`?${asJson(query)}`];
  const sent = body === undefined ? [] : [asJson(body)];
  return [method, path, ...asked, ...sent].join(' ');
}

/** Values of the environment by the name of their variable alone. */
function named(value: unknown): unknown {
  if (isFromEnvironment(value)) return { $env: value.$env };
  if (Array.isArray(value)) return value.map(named);
  if (!isObject(value) || isRawNumber(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, named(part)]));
}
