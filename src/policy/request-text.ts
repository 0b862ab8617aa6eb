import { prepare } from '../api/client.js';
import { redactQuery } from '../base/redaction.js';
import type { Change } from '../jobs/change.js';

/** A request as verdicts name it: `DELETE /v1/spaces/x`. */
export function requestText({ op, input }: Pick<Change, 'op' | 'input'>): string {
  const { method, path } = prepare(op, input);
  return `${method} ${redactQuery(path)}`;
}
