import type { Plan } from '../plan.js';

/** A plan for a pull request: a summary line, a table of changes by kind, then details folded. */
export function planMarkdown(_plan: Plan): string {
  throw new Error('not built yet');
}
