import { safeLine } from '../../output/text.js';
import type { Plan } from '../plan.js';

/** What a plan is for: `Plan for Acme Docs`, or the command that made it. */
export function titleOf({ title, organization, lock, command }: Plan): string {
  const ofFolder = title ?? (lock && organization);
  return `Plan for ${safeLine(ofFolder ?? `docs ${command}`)}`;
}

/** What is said of a plan without operations. */
export const nothing = 'nothing to do';
