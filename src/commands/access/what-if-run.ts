import { openWhatIf, type WhatIf, type WhatIfCounts } from '../../access/what-if/what-if.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { warnReader } from '../../cli/run/output-flags.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { conclude } from './conclude.js';
import { limitOf, pagesOf } from './limit.js';
import { proposalOf, typedProposal } from './proposal.js';

/**
 * `docs access what-if`: lists who gains and who loses what by a change.
 * @throws DocsError usage; not-found; partial `not_all_read` (exit 3) where something could not be read
 */
export async function askWhatIf(session: Session, input: ManualInput, view: View): Promise<void> {
  const typed = typedProposal(input);
  const limit = limitOf(input);
  await session.printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const asked = await openWhatIf(reading, await proposalOf(session, reading, typed));
  const { cut } = await session.printer.list(pagesOf(rowsOf(asked), limit), view, limit);
  warnReader(session, asked.notes);
  conclude(session, asked.tally, { words: wordsOf(asked.counts), cut });
}

async function* rowsOf(asked: WhatIf) {
  for await (const rows of asked.rows()) if (rows.length > 0) yield rows;
}

function wordsOf({ certain, possible }: WhatIfCounts): string {
  const parts = Object.entries({ certain, possible }).flatMap(([name, counts]) => {
    const words = partsOf(counts);
    return words.length === 0 ? [] : [`${name}: ${words.join(', ')}`];
  });
  const [first = 'No role changes', ...others] = parts;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ');
}

function partsOf({ gains, loses, changes }: WhatIfCounts['certain']): string[] {
  const verbs = [
    ['gained', gains],
    ['lost', loses],
    ['changed', changes],
  ] as const;
  return verbs.flatMap(([verb, count]) => (count > 0 ? [`${counted(count, 'role')} ${verb}`] : []));
}
