import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { localIoError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { checkOwnFolder, makeFolders } from '../../base/own-files.js';
import { settingsPaths } from '../../settings/paths.js';

/** Plans that agents made: files of the state folder (0600), by a handle that nobody can guess. */

/** How long a plan may be applied, and is kept, in milliseconds: as `docs apply --max-age` without the flag. */
export const plansLastMs = 86_400_000;

const handlePattern = /^plan-[\w-]{22}$/;

export class Plans {
  readonly #io: Io;
  readonly #folder: string;

  constructor(io: Io) {
    this.#io = io;
    this.#folder = join(settingsPaths(io).stateDir, 'agent-plans');
  }

  /** A new handle and the file it stands for; removes what has expired. @throws DocsError local-io, configuration */
  create(): { handle: string; file: string } {
    try {
      makeFolders(this.#folder, 0o700);
    } catch (cause) {
      throw localIoError(cause, `Cannot write ${this.#folder}`);
    }
    checkOwnFolder(this.#folder);
    this.sweep();
    const handle = `plan-${randomBytes(16).toString('base64url')}`;
    return { handle, file: this.#path(handle) };
  }

  /** The file of a handle. @throws DocsError usage `unknown_plan` */
  fileOf(handle: string): string {
    const file = this.#path(handle);
    if (handlePattern.test(handle) && fs.existsSync(file)) {
      checkOwnFolder(this.#folder);
      return file;
    }
    const message = `Plan ${JSON.stringify(handle.slice(0, 40))} not found; it may have expired. Make it again with docs_plan.`;
    throw usageError('unknown_plan', message);
  }

  /** Removes a plan that nobody was told of. */
  remove(handle: string): void {
    for (const end of ['', '.bodies', '.approvals'])
      fs.rmSync(`${this.#path(handle)}${end}`, { recursive: true, force: true });
  }

  /** Removes what has expired. */
  sweep(): void {
    for (const name of fs.readdirSync(this.#folder)) {
      const [, handle = ''] = /^(.*)\.json$/.exec(name) ?? [];
      if (!handlePattern.test(handle)) continue;
      const found = fs.lstatSync(this.#path(handle), { throwIfNoEntry: false });
      if (found !== undefined && this.#io.now() - found.mtimeMs > plansLastMs) this.remove(handle);
    }
  }

  #path(handle: string): string {
    return join(this.#folder, `${handle}.json`);
  }
}
