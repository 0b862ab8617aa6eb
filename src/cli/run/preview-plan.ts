import { defined } from '../../base/values.js';
import type { View } from '../../output/printer.js';
import type { PlanOperation } from '../../plans/plan.js';
import type { Session } from '../declare/session.js';
import { undoSummary } from './preview.js';

/** `docs apply <plan> --dry-run`: the requests as the plan holds them. */

const shown = ['operation', 'kind', 'key', 'method', 'path', 'body', 'undo', 'why'];
const view: View = {
  columns: shown.map((path) => ({ path })),
  fields: ['id', ...shown],
  open: ['body'],
};

/** @param operations those that send something */
export async function previewPlan({ printer }: Session, operations: readonly PlanOperation[]): Promise<void> {
  await printer.check(view);
  const rows = operations.map(({ id, kind, key, request, undo, why }) => {
    const { method, path, body } = request ?? {};
    return defined({ id, operation: id, kind, key, method, path, body, undo, why });
  });
  await printer.list(rows, view);
  const forecasts = operations.map(({ undo, why }) => ({ undo, ...defined({ why }) }));
  printer.note(`Dry run: nothing was sent. ${undoSummary(forecasts)}`);
}
