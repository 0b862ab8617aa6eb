import { expect, test } from 'vitest';
import { hold, patience } from './hold.js';
import { staleIsExact } from './stale.js';

const names = [
  ...['renameTeam', 'swapTeamTitles', 'describeField', 'renameNode', 'renameSite', 'renameTranslation'],
  ...['changeProvider', 'renameTeamKey', 'addSection', 'addTeam', 'moveNode', 'removeTeam'],
  'removeCollection',
];

test(
  'a change by hand makes stale exactly what rests on it',
  async () => {
    let stale = 0;
    await hold({ usual: 6, seed: 9, most: 6, names }, async (world, org, edits) => {
      if (await staleIsExact(world, org, edits)) stale += 1;
    });
    expect(stale).toBeGreaterThan(1);
  },
  patience(6),
);
