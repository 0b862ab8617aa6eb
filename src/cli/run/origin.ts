import { join } from 'node:path';
import { settingsPaths } from '../../settings/paths.js';
import type { Session } from '../declare/session.js';

/** The platform of a session: its base URL, or the database of the embedded one; in a rehearsal the one that is copied. */
export function originOf({ io, settings, globals }: Pick<Session, 'io' | 'settings' | 'globals'>): string {
  if (settings.rehearsal !== undefined) return settings.rehearsal.origin;
  if (settings.sandbox || globals.sandbox) return `sandbox:${join(settingsPaths(io).dataDir, 'sandbox.db')}`;
  return settings.baseUrl?.value ?? '';
}
