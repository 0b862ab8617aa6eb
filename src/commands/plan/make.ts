import { resolve } from 'node:path';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { folderOf, typedFolder } from '../../cli/run/organization-folder.js';
import type { Report } from '../../cli/run/run-report.js';
import { nextPiece } from '../../snapshot/gate.js';
import { beginEarly, takesOf } from '../shared/organization-files.js';
import { planForms, type ShownPlan } from '../shared/print-plan.js';
import type { EndsBy } from './ending.js';

/**
 * `docs plan` and `docs plan drift`. What is not needed to ask the platform is loaded while it answers: the planner, what
 * prints a plan, and how it ends.
 */

/** How a plan of a folder is made. */
interface FolderPlan extends EndsBy {
  only?: 'change' | 'drift';
}

/**
 * Makes the plan of a folder and shows it; with `--save-plan` writes it, too. Sends nothing but GET.
 * @throws DocsError findings (exit 17) with `exitCode` if there is anything in it; as `compare`
 */
export function folderPlanReport({ command, exitCode, ...how }: FolderPlan): Report<ShownPlan> {
  return {
    ...planForms,
    async read({ session, input }) {
      const { io, savePlan } = session;
      const only = how.only ?? (input.options.only as FolderPlan['only']);
      const take = takesOf(input);
      const path = folderOf(io, input);
      await nextPiece();
      // Drift is about more than the files name.
      const early = only === 'drift' ? undefined : await beginEarly(session, path);
      await nextPiece();
      const { compare, openFolder } = await import('./compare.js');
      const folder = await openFolder(session, path, typedFolder(input), { ...defined({ only }), early });
      const missed: string[] = [];
      const onMissed = (sentences: readonly string[]) => void missed.push(...sentences);
      const choices = { prune: input.options.prune === true, take, onMissed, ...defined({ only }) };
      const plan = await compare(session, command, folder, choices);
      if (savePlan !== undefined) {
        const { writePlan } = await import('../../plans/file.js');
        await writePlan(io, resolve(io.cwd, savePlan), plan);
      }
      return { plan, missed };
    },
    async end({ plan }, { session, input }) {
      if (plan.operations.length === 0 && session.savePlan === undefined) return undefined;
      const { endingOf } = await import('./ending.js');
      return endingOf(session, input, plan, { command, exitCode });
    },
  };
}

/** Opens the file that `--editor` names, if it was typed. @throws DocsError as `editOrganizationFile` */
export async function editFirst(session: Session, input: ManualInput): Promise<void> {
  if (input.options.editor === undefined) return;
  const { editOrganizationFile } = await import('../../cli/run/organization-editor.js');
  await editOrganizationFile(session, input);
}
