import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../api/operation.js';
import type { RuleBook } from './rule-book.js';

/** Whether a read shows what an operation creates (creations.ts); false for every other operation. */
export function isTraced(op: AnyOperation, rules: RuleBook): boolean {
  return rules.ruleOf(op).shows !== undefined || listFor(op, rules) !== undefined;
}

/** The list at the path of a creation, whose items are what the creation returns. */
export function listFor(
  { id, method, path, returns }: AnyOperation,
  rules: RuleBook,
): AnyOperation | undefined {
  if (method === 'GET' || returns.kind !== 'one') return undefined;
  const known = rules.operationsOf(rules.resourceOf(id)?.lists ?? []);
  return known.find((op) => op.path === path && lists(op) && op.returns.item === returns.schema);
}

function lists(op: AnyOperation): op is AnyOperation & { returns: { kind: 'page'; item: TSchema } } {
  return op.returns.kind === 'page';
}
