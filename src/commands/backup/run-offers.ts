import { resolve } from 'node:path';
import type { Offers } from '../../cli/declare/takers.js';
import { counted } from '../../output/counted.js';
import { openBackup } from '../../workflows/backup/folder/open-folder.js';
import { runsOf } from '../../workflows/backup/versions/log.js';

/** The runs of a backup that can be shown, newest first. */
export const keptRuns: Offers = {
  none: 'The backup has no run.',
  async list({ io }, { args }) {
    const { folder, ...read } = await openBackup(resolve(io.cwd, String(args.folder)));
    const runs = (await runsOf(folder, read)).filter(({ kept }) => kept);
    return runs.map(({ run, startedAt, state, spaces }) => ({
      value: String(run),
      name: `${run}  ${startedAt.slice(0, 16).replace('T', ' ')}  ${state}  ${counted(spaces, 'space')}`,
    }));
  },
};
