import type { Plan } from '../plan.js';

/** A plan as a picture for a terminal. @param columns width @param colour whether to colour it */
export function planText(_plan: Plan, _look: { columns: number; colour: boolean }): string {
  throw new Error('not built yet');
}
