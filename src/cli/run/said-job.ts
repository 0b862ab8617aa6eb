import { pathParameters } from '../../api/operation.js';
import type { ItemRecord } from '../../jobs/journal.js';
import { operationOf } from '../../jobs/request.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { counted } from '../../output/text.js';
import { kindNamed, nameOf, numberIn, textAt, titleIn } from './said-name.js';

/** What a job changed, by the titles that its journal has. */

/** `teams delete of team Writers (t1)`; of several items `teams delete, 3 items`. */
export function jobWords(command: string, records: readonly ItemRecord[]): string {
  const [first] = records;
  if (first === undefined || records.length > 1) return `${command}, ${counted(records.length, 'item')}`;
  return `${command} of ${recordName(first)}`;
}

/** What an item was about: `team Writers (t1)`. */
function recordName({ plan, before, answer }: ItemRecord): string {
  const op = operationOf(plan.op);
  const kind = kindNamed(ruleOf(op).makes?.parameter ?? pathParameters(op.path).at(-1));
  const sources = [answer, before];
  const id = (kind && textAt(answer, kind.id)) ?? plan.id;
  return nameOf(kind?.noun ?? 'item', id, {
    title: titleIn(kind, sources),
    number: numberIn(kind, sources),
  });
}
