import { type Stats, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { nextTurn } from '../../base/turn.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { folderOf, typedFolder } from '../../cli/run/organization-folder.js';
import { reportPage } from '../../cli/run/report-page.js';
import type { Report } from '../../cli/run/run-report.js';
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
      // Drift is about more than the files name.
      const early = only === 'drift' ? undefined : await beginEarly(session, path);
      await nextTurn();
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

/**
 * `docs plan --editor [file]`: opens org.yaml, or another file of the folder, before the files are read. What was
 * written stays, whatever the plan says of it.
 * @throws DocsError usage `no_terminal`, `no_such_file`; local-io `editor_failed`
 */
export async function editOrganizationFile(session: Session, input: ManualInput): Promise<void> {
  const { editor } = input.options;
  if (editor === undefined) return;
  if (!session.interactive) {
    const message = '--editor needs a terminal, and questions are off here; nothing was opened';
    throw usageError('no_terminal', message);
  }
  const { platform } = session.io;
  const folder = folderOf(session.io, input);
  const name = typeof editor === 'string' ? editor : 'org.yaml';
  const path = resolve(folder, name);
  const inside = relative(folder, path);
  const stats = statOf(path);
  if (inside.startsWith('..') || isAbsolute(inside) || stats?.isFile() !== true) {
    const message = `${name} is not a file in ${typedFolder(input)}; nothing was opened`;
    throw usageError('no_such_file', message, {
      hint: `${platform === 'win32' ? 'dir' : 'ls'} ${shellWord(typedFolder(input), platform)}`,
    });
  }
  // A page that cannot be written is refused before somebody has written a text.
  await reportPage(session, input);
  const hint = `EDITOR=nano docs ${session.line.join(' ')}`;
  const { editFile } = await import('../../cli/run/editor.js');
  await editFile(session.io, path, { hint, instead: `Edit ${name} yourself, and leave out --editor.` });
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined; // It is not there, or cannot be looked at.
  }
}
