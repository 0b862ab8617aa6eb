import type { LooseInput } from '../api/client.js';
import type { Reads, Rule } from './rule.js';
import { matches, narrowed, type State } from './state.js';

/** What became of a request whose answer nobody has: told by a read, never by sending it again. */

export type Settled =
  | { is: 'done' }
  /** It certainly did nothing. */
  | { is: 'not-done'; before: State | undefined }
  | { is: 'unknown'; why: string };

/**
 * Looks up whether a request took effect (RELIABILITY.md, "Many items").
 * @param before the state before it, where the journal has it
 * @throws DocsError where the read fails
 */
export async function settle(
  rule: Rule,
  reads: Reads,
  input: LooseInput,
  before: State | undefined,
): Promise<Settled> {
  if (rule.harmless) return { is: 'not-done', before };
  if (rule.read === undefined || rule.wanted === undefined)
    return unknown('no read tells whether it was done');
  const earlier = rule.creates ? null : before;
  if (rule.tells?.(input, earlier) === false) return unknown('no read tells whether it was done');
  const now = await rule.read(reads, input);
  const wanted = rule.wanted(input, earlier);
  if (wanted !== undefined && matches(now, wanted)) return { is: 'done' };
  const unchanged = earlier !== undefined && matches(now, wanted ? narrowed(earlier, wanted) : earlier);
  if (unchanged || rule.oneWay) return { is: 'not-done', before: before ?? now };
  return unknown('the state is neither what it was before nor what was asked for');
}

function unknown(why: string): Settled {
  return { is: 'unknown', why };
}
