import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localIoError } from '../base/errors.js';

/** What runs in the browser: made of `client/` by the build, and read only as a report is written. */
export interface ClientCode {
  script: string;
  /** The script of the pages of a sandbox. */
  sandbox: string;
  style: string;
}

/** The file in the build, beside the program. */
const name = 'report-client.json';

/** @throws DocsError local-io if the installation lacks the file */
export async function clientCode(): Promise<ClientCode> {
  const path = join(import.meta.dirname, name);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ClientCode;
  } catch (error) {
    throw localIoError(error, `cannot read ${path}`);
  }
}
