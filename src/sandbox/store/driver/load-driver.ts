import { DocsError } from '../../../base/errors.js';
import type { Driver } from './driver.js';
import { libsqlDriver } from './libsql-driver.js';
import { nodeDriver } from './node-driver.js';

let loaded: Driver | undefined;

/**
 * The driver of the runtime, or else that of libsql, found once.
 * @throws DocsError `configuration` if there is neither
 */
export function loadDriver(): Driver {
  loaded ??= firstDriver([nodeDriver, libsqlDriver]);
  return loaded;
}

/** The first driver that is there. @throws DocsError `configuration` if none is */
export function firstDriver(ways: readonly (() => Driver | undefined)[]): Driver {
  for (const find of ways) {
    const driver = find();
    if (driver !== undefined) return driver;
  }
  const message =
    `The sandbox needs SQLite, which Node ${process.versions.node} does not have, and the optional package libsql ` +
    `is not installed for ${process.platform} ${process.arch}; nothing was changed. Use Node 22.16 or newer, or ` +
    'install docs with its optional packages.';
  throw new DocsError('configuration', 'no_sqlite', message, { hint: 'docs doctor' });
}
