import type { AnyOperation } from '../api/operation.js';
import { operationOf } from './change.js';
import type { Rule, Rules } from './rule.js';
import { definitions } from './rules/definitions.js';
import { discussions } from './rules/discussions.js';
import { people } from './rules/people.js';
import { sites } from './rules/sites.js';
import { spaces } from './rules/spaces.js';

const table = { ...people, ...definitions, ...spaces, ...discussions, ...sites };

export const undoRules: Rules = Object.fromEntries(
  Object.entries(table).map(([id, rule]) => [id, typeof rule === 'function' ? rule(operationOf(id)) : rule]),
);

/** For an operation without a rule; a test holds that every operation has one. */
const unknown: Rule = {
  forecast: () => ({ undo: 'none', why: 'docs has no undo for this operation' }),
};

/** A read changes nothing, so it stands in the way of no undo, and may be sent again. */
const reading: Rule = { forecast: () => ({ undo: 'exact' }), harmless: true };

export function ruleOf(op: AnyOperation): Rule {
  return undoRules[op.id] ?? (op.method === 'GET' ? reading : unknown);
}
