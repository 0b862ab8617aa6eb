import { requirePath } from '../values.js';

interface Place {
  body: { path?: string; condition?: string | null };
}

/** Checks the path and the condition of a section or site space; parses only a condition that is given. @throws 400 */
export async function checkPlace({ body: { path, condition } }: Place): Promise<void> {
  requirePath('path', path);
  if (typeof condition !== 'string') return;
  const { requireCondition } = await import('./condition.js');
  requireCondition(condition);
}
