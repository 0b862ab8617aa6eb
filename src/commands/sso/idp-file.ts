import { type IdpPeople, idpPeople } from '../../access/sso/idp.js';
import { usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readRowsFile } from '../../cli/run/gather.js';

/**
 * The people in the file of `--idp`; undefined where there is none.
 * @throws DocsError local-io; usage `bad_rows`, `bad_encoding`, `missing_column`, `ambiguous_column`, `no_items`
 */
export async function idpOf(session: Session, { options }: ManualInput): Promise<IdpPeople | undefined> {
  const { idp, idpColumn } = options;
  if (typeof idp !== 'string') {
    if (idpColumn === undefined) return undefined;
    throw usageError('contradiction', '--idp-column requires --idp.');
  }
  const { rows } = await readRowsFile(session, idp, '--idp');
  const found = idpPeople(rows, typeof idpColumn === 'string' ? idpColumn : undefined);
  if (found.people.length > 0) return found;
  // An export that failed would make everybody look as if they had left.
  const message = `--idp: no row of ${idp} has an email in column ${JSON.stringify(found.column)}; nothing was sent.`;
  throw usageError('no_items', message);
}
