import type { AnyOperation } from '../api/operation.js';
import type { Rule, Rules } from './rule.js';
import { definitions } from './rules/definitions.js';
import { discussions } from './rules/discussions.js';
import { people } from './rules/people.js';
import { sites } from './rules/sites.js';
import { spaces } from './rules/spaces.js';

/** What is known of each changing operation: how its state is read, and how undo takes it back. */
export const undoRules: Rules = { ...people, ...definitions, ...spaces, ...discussions, ...sites };

/** An operation that nothing is known of; a test holds that the platform's table has none. */
const unknown: Rule = {
  forecast: () => ({ undo: 'none', why: 'nothing is known of how to take it back' }),
};

/** The rule of an operation. */
export function ruleOf(op: AnyOperation): Rule {
  return undoRules[op.id] ?? unknown;
}
