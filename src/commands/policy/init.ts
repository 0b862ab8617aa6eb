import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { localIoError, systemCode } from '../../base/system-errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readOnlyPolicy, reviewedPolicy } from './templates.js';

/**
 * `docs policy init`: writes a policy to start from.
 * @throws DocsError usage `missing_flag`, `file_exists`; local-io
 */
export async function initPolicy(
  session: Session,
  file: string,
  { readOnly, reviewed }: ManualInput['options'],
) {
  const { io, globals, printer } = session;
  const word = shellWord(file, io.platform);
  if (readOnly !== true && reviewed !== true)
    throw usageError('missing_flag', 'choose a policy to start from: --read-only or --reviewed', {
      hint: `docs policy init --read-only${file === 'policy.yaml' ? '' : ` ${word}`}`,
    });
  const text = readOnly === true ? readOnlyPolicy : reviewedPolicy;
  if (globals.dryRun) {
    await printer.text(text);
    return printer.note(`Dry run: ${file} is shown above; nothing was written.`);
  }
  await writeNew(resolve(io.cwd, file), file, text);
  const sentence = `✓ Wrote ${file}. "docs policy explain ${word}" tells what it allows; --policy ${word} puts it in force.`;
  await printer.done({ id: file, status: 'written', file: resolve(io.cwd, file) }, sentence);
}

async function writeNew(path: string, typed: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (cause) {
    if (systemCode(cause) !== 'EEXIST') throw localIoError(cause, `Cannot write ${typed}`);
    throw usageError('file_exists', `${typed} already exists; nothing was written. Choose another name.`, {
      hint: `docs policy explain ${shellWord(typed, process.platform)}`,
    });
  }
}
