import type { Client } from '../api/client.js';
import { runInOrder } from './in-order.js';
import { isRefusal, readsOf } from './reads.js';
import { difference, matches } from './state.js';
import type { Undoing } from './undo.js';
import { ruleOf } from './undo-rules.js';

/** How what is to be taken back stands now. */
export type Standing =
  /** As the job left it: it can be taken back. */
  | { now: 'as left' }
  /** As it was before the job: nothing is left to do. */
  | { now: 'back' }
  | { now: 'changed'; how: string }
  | { now: 'not known' };

/** Reads how each stands, eight at a time, in order. @throws DocsError where the platform is out of reach */
export async function readStandings(client: Client, items: readonly Undoing[]): Promise<Standing[]> {
  const standings: Standing[] = [];
  const read = (index: number) => standingOf(client, items[index] as Undoing);
  for await (const standing of runInOrder(items.length, read, { concurrency: 8 })) standings.push(standing);
  return standings;
}

async function standingOf(client: Client, { request, expect }: Undoing): Promise<Standing> {
  const rule = request && ruleOf(request.op);
  if (request === undefined || rule?.read === undefined) return { now: 'not known' };
  try {
    const state = await rule.read(readsOf(client), request.input);
    const wanted = rule.wanted?.(request.input, state);
    if (wanted !== undefined && matches(state, wanted)) return { now: 'back' };
    if (expect === undefined || matches(state, expect)) return { now: 'as left' };
    return { now: 'changed', how: difference(state, expect) };
  } catch (cause) {
    if (isRefusal(cause)) return { now: 'not known' };
    throw cause;
  }
}
