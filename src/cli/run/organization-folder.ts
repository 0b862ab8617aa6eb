import { resolve } from 'node:path';
import type { Client } from '../../api/client.js';
import type { Io } from '../../base/io.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';

/** What the commands of the organization as code need before the kinds are loaded. */

export const defaultFolder = 'org';

/** The folder of `--dir`, absolute. */
export function folderOf({ cwd }: Pick<Io, 'cwd'>, { options }: ManualInput): string {
  return resolve(cwd, typedFolder({ options }));
}

/** The folder as it was typed, for messages. */
export function typedFolder({ options }: Pick<ManualInput, 'options'>): string {
  return typeof options.dir === 'string' ? options.dir : defaultFolder;
}

/** A client that can only read, whatever the session does later. */
export function readOnlyClient(session: Session): Promise<Client> {
  return session.client({ readOnly: true, timeoutPerRequest: true });
}
