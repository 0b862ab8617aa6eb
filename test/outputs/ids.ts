import { stands } from '../../src/cli/declare/define.js';
import { exportState } from '../../src/sandbox/store/export.js';
import type { World } from '../e2e/examples/world.js';
import { openPlatform } from '../sandbox/in-process.js';

type Tables = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Puts in place of each id of the seed `tiny` the one at the same place of the same table here. */
export async function idsOf({ db }: World): Promise<(text: string) => string> {
  const tiny = await openPlatform();
  const [theirs, ours] = [tiny.beside(exportState), exportState(db)].map(
    (text) => (JSON.parse(text) as { tables: Tables }).tables,
  ) as [Tables, Tables];
  const pairs = Object.values(stands).flatMap((id) => {
    for (const [table, rows] of Object.entries(theirs)) {
      const at = rows.findIndex((row) => row.id === id);
      const same = at === -1 ? undefined : ours[table]?.[Math.min(at, ours[table].length - 1)]?.id;
      if (typeof same === 'string') return [[id, same] as const];
    }
    return [];
  });
  return (text) => pairs.reduce((all, [id, same]) => all.replaceAll(id, same), text);
}
