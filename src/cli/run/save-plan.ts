import type { Step } from '../../jobs/step.js';
import type { Session } from '../declare/session.js';

/** What a command tells about the change that becomes a plan. */
export interface Planning {
  /** Its words, without ids and flags. */
  command: string;
  steps: readonly Step[];
  risks?: readonly string[];
  evidence?: string;
}

/** `--save-plan`: makes the plan of a change, writes it, and shows it. Sends nothing but reads. */
export async function savePlan(_session: Session, _planning: Planning): Promise<void> {
  throw new Error('not built yet');
}
