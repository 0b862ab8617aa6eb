import type { AnyOperation } from '../api/operation.js';
import type { Rule } from './rule.js';
import { RuleBook } from './rule-book.js';
import { definitions } from './rules/definitions.js';
import { discussions } from './rules/discussions.js';
import { people } from './rules/people.js';
import { sites } from './rules/sites.js';
import { spaces } from './rules/spaces.js';

/** The rules of all operations, for plans, undo and previews. A run loads only its own: `loadRules`. */
export const allRules = new RuleBook([people, definitions, spaces, discussions, sites]);

export function ruleOf(op: AnyOperation): Rule {
  return allRules.ruleOf(op);
}
