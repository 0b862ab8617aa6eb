import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import { counted } from '../../output/text.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import { countsOf, isConflict, sectionsOf } from '../../plans/show/summary.js';
import { atPlace } from '../declare/place-flags.js';
import type { Session } from '../declare/session.js';

/**
 * What applying a plan leaves undone: conflicts, which somebody must decide, and findings, which no operation can
 * do. The platform is then not as the files say, so the command ends with exit 3. What is withheld is not among
 * them: it waits for `--prune` on purpose.
 */

/** The command whose plans come from a backup, and not from a folder. */
const restoring = 'backup restore';

/** Shown for a person; `--json` and `docs plan` have all. */
const mostLines = 20;

/** An operation as rows name it: `memberships/writers/ada@acme.example`. */
export function itemOf({ kind, key, lock }: Pick<PlanOperation, 'kind' | 'key' | 'lock'>): string {
  return lock?.item ?? `${kind}/${key}`;
}

/** Conflicts and findings as rows of results, after those of what is sent. */
export function leftRows({ operations }: Plan): Record<string, unknown>[] {
  const sent = operations.filter(({ request }) => request !== undefined).length;
  return leftOf(operations).map((operation, at) => {
    const { id, kind, key, finding: { code, message, hint } = { code: '', message: '' } } = operation;
    const error = new DocsError(isConflict(operation) ? 'conflict' : 'findings', code, message, {
      outcome: 'not-sent',
      retryable: false,
      ...defined({ hint }),
    });
    const about = { operation: id, item: itemOf(operation), kind, key };
    return { index: sent + at, id: key, status: 'skipped', error: error.toJSON(), ...about };
  });
}

/** Partial (exit 3) where something is left; undefined where a plan holds nothing that is. */
export function leftError(session: Session, plan: Plan, applied: number): DocsError | undefined {
  const left = leftOf(plan.operations);
  if (left.length === 0) return undefined;
  const done = applied === 0 ? 'Nothing was applied' : `${counted(applied, 'change')} applied`;
  // The notes of a restore are about what no restore brings back.
  const notes = plan.command === restoring ? [] : (plan.notes ?? []);
  const remarks = sectionsOf({ ...plan, operations: left, notes }).flatMap((section) => section.remarks);
  const lines = remarks
    .slice(0, mostLines)
    .map(({ item, message, hint }) => `${item}: ${[message, hint].filter(Boolean).join(' ')}`);
  const rest = remarks.length > mostLines ? [`… and ${remarks.length - mostLines} more`] : [];
  const items = left.map((operation) => ({ item: itemOf(operation), code: operation.finding?.code }));
  return new DocsError('partial', 'left_over', `${done}; left as they are: ${countsOf(left)}.`, {
    lines: [...lines, ...rest],
    ...defined({ hint: nextCommand(session, plan, left) }),
    retryable: false,
    details: { applied, left: items },
  });
}

function leftOf(operations: readonly PlanOperation[]): PlanOperation[] {
  return operations.filter(({ action }) => action === 'finding');
}

/** Shows what would be done if the file won; without a conflict, what is left. */
function nextCommand(
  { globals, io }: Session,
  plan: Plan,
  left: readonly PlanOperation[],
): string | undefined {
  // Other commands have no folder to plan again: what they left says what to do about it.
  if (plan.folder === undefined) {
    const hint = left.map(({ finding }) => finding?.hint).find((own) => own?.startsWith('docs '));
    return hint && atPlace(hint, globals, io.platform);
  }
  const conflict = left.find(isConflict);
  const take = conflict === undefined ? '' : ` --take ${shellWord(`file=${itemOf(conflict)}`, io.platform)}`;
  const { folder } = plan;
  const dir = folder === 'org' ? '' : ` --dir ${shellWord(folder, io.platform)}`;
  return atPlace(`docs plan${take}${dir}`, globals, io.platform);
}
