import { resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { Scope } from '../../snapshot/spaces.js';
import { type FixStatus, fixStatuses } from '../../workflows/link-fix/shapes.js';
import { checkImportBase } from '../backup/import-base.js';

/** What `links fix` was asked to do, from what was typed. */
export interface FixRequest {
  scope: Scope;
  /** Absolute path. */
  backup?: string;
  matchTitles: boolean;
  /** Absolute path. */
  out?: string;
  /** Whether change requests are to be made, planned or shown. */
  proposes: boolean;
  /** Where the archives are hosted; needed to propose, but not for a dry run of it. */
  importBase?: string;
  failOn: readonly FixStatus[];
}

const hint = 'docs links fix --help';

/** Reads and checks the flags; nothing is sent. @throws DocsError usage */
export function fixRequestOf(session: Session, { options }: ManualInput): FixRequest {
  const one = (name: string) => options[name] as string | undefined;
  const many = (name: string) => (options[name] as string[] | undefined) ?? [];
  const proposes = options.asChangeRequest === true || session.savePlan !== undefined;
  const [importBase, out, backup] = [one('importBase'), one('out'), one('backup')];
  const isShown = session.globals.dryRun === true && session.savePlan === undefined;
  if (proposes && importBase === undefined && !isShown) {
    const flag = options.asChangeRequest === true ? '--as-change-request' : '--save-plan';
    const message = `${flag} requires --import-base: the platform imports corrected pages from an address; nothing was sent.`;
    throw usageError('missing_flag', message, { hint });
  }
  if (!proposes && importBase !== undefined)
    throw usageError('contradiction', '--import-base requires --as-change-request or --save-plan.', { hint });
  if (importBase !== undefined) checkImportBase(session, importBase, hint);
  const path = (typed: string | undefined) =>
    typed === undefined ? undefined : resolve(session.io.cwd, typed);
  return {
    scope: { spaces: many('space'), collections: many('collection'), sites: many('site') },
    proposes,
    matchTitles: options.matchTitles === true,
    failOn: fixStatuses.filter((status) => many('failOn').includes(status)),
    ...defined({ importBase, out: path(out), backup: path(backup) }),
  };
}
