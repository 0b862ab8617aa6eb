import { formatJson } from '../../api/transport/json-text.js';
import { withPlaceholders } from '../placeholders.js';
import type { PlanOperation } from '../plan.js';

/**
 * What an operation sends, whole, in one line: its description is what the maker of the plan says of it, and this is
 * what the platform gets. Not sanitised; undefined where it sends nothing.
 */
export function requestText({ request }: Pick<PlanOperation, 'request'>): string | undefined {
  if (request === undefined) return undefined;
  const { method, path, query, body } = request;
  const asJson = (value: unknown) => formatJson(withPlaceholders(value));
  const asked = query === undefined ? [] : [`?${asJson(query)}`];
  const sent = body === undefined ? [] : [asJson(body)];
  return [method, path, ...asked, ...sent].join(' ');
}
