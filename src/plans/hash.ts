import { formatJson } from '../api/transport/json-text.js';
import { nodeCrypto, sha256 } from '../base/hash.js';
import { isObject } from '../base/values.js';
import { canonical, largestValue } from '../jobs/state.js';
import type { Plan, PlanOperation } from './plan.js';

/** Larger bodies stand beside the plan, in bytes of JSON. */
const largestBody = largestValue;

/** What stands for a body in the file of a plan: the SHA-256 of its JSON, which names its own file. */
interface BodyFile {
  $body: string;
}

export function isBodyFile(value: unknown): value is BodyFile {
  return isObject(value) && typeof value.$body === 'string' && Object.keys(value).length === 1;
}

/** An operation as it stands in the file, and its body where that has a file of its own. */
export function filed(operation: PlanOperation): {
  operation: PlanOperation;
  body?: { hash: string; text: string };
} {
  const { request } = operation;
  if (request?.body === undefined) return { operation };
  const text = formatJson(request.body);
  if (Buffer.byteLength(text) <= largestBody) return { operation };
  const hash = sha256(text);
  const body: BodyFile = { $body: hash };
  return { operation: { ...operation, request: { ...request, body } }, body: { hash, text } };
}

/** The hash of a plan: of all that it says but the hash itself, with the hashes of the bodies beside it. */
export function hashOfPlan({ operations, ...head }: Omit<Plan, 'hash'> & { hash?: string }): string {
  const { hash: _, ...rest } = head;
  const sum = nodeCrypto().createHash('sha256').update(canonical(rest));
  for (const operation of operations) sum.update('\n').update(canonical(filed(operation).operation));
  return sum.digest('hex');
}
