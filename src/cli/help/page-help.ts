import type { Io } from '../../base/io.js';
import { PagingSink } from '../../output/pager.js';
import { settingsPaths } from '../../settings/paths.js';
import { readSettingsFile } from '../../settings/settings-file.js';

/** Shows help that does not fit on the screen in the pager; prints it where there is none. Waits until the reader has left. */
export async function pageHelp(io: Io, text: string): Promise<void> {
  const sink = new PagingSink(io, { setting: pagerSetting(io), quiet: false });
  sink.add(text);
  try {
    await sink.push();
  } catch {
    // The reader has left, or the run ends.
  }
  await sink.close();
}

/** The pager of the settings. Help must not fail where they cannot be read. */
function pagerSetting(io: Io): string | undefined {
  try {
    const { pager } = readSettingsFile(io, settingsPaths(io)).settings;
    return typeof pager === 'string' ? pager : undefined;
  } catch {
    return undefined;
  }
}
