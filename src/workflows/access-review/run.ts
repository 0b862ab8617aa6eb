import type { Command, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { usageError } from '../../errors.js';

/** The review, or what was decided in one. @throws DocsError usage where flags of both are given */
export async function runReview(session: Session, command: Command, input: ManualInput): Promise<void> {
  const { options } = input;
  const given = (names: Readonly<Record<string, unknown>>) =>
    Object.entries(names).find(([, value]) => value !== undefined && value !== false)?.[0];
  if (options.apply === undefined) {
    const alone = given({
      '--reassign-teams-to': options.reassignTeamsTo,
      '--skip-invalid': options.skipInvalid,
      '--fail-fast': options.failFast,
      '--again': options.again,
    });
    if (alone !== undefined) throw usageError('contradiction', `${alone} goes with --apply alone.`);
    const { reviewAccess } = await import('./review.js');
    return reviewAccess(session, input);
  }
  const filter = given({
    '--inactive': options.inactive,
    '--role': options.role,
    '--no-sso': options.sso === false ? true : undefined,
  });
  if (filter !== undefined)
    throw usageError('contradiction', `${filter} chooses whom to review: leave it out with --apply.`);
  const { applyReview } = await import('./apply.js');
  return applyReview(session, command, input);
}
