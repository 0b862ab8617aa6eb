import type { Session } from '../declare/session.js';
import { type ContextName, missingContext } from './missing-context.js';

/**
 * The parent from flag, environment, project file or profile; on a terminal it is asked for where
 * nothing says which.
 * @throws usage error that names the ways to give it
 */
export async function contextId(session: Session, name: ContextName): Promise<string> {
  const resolved = session.settings[name];
  if (resolved !== undefined) return resolved.value;
  if (!session.interactive) throw missingContext(name);
  const [{ nameOne }, { catalogue }] = await Promise.all([import('./naming.js'), import('./catalogue.js')]);
  return (await nameOne(session, { kind: catalogue[name], typed: undefined, place: `--${name}` })).id;
}
