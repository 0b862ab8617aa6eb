import type { Step } from '../jobs/step.js';
import type { Plan } from './plan.js';

/** The operations of a plan that send something, as the steps of a job. */
export function stepsOf(_plan: Plan): Step[] {
  throw new Error('not built yet');
}
