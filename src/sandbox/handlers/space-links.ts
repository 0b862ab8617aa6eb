import { listSpaceLinks } from '../../api/resources/spaces.js';
import { handle } from '../handle.js';

export const handlers = [
  /** Links are found in content; a space without content has none. */
  handle(listSpaceLinks, ({ page }) => ({
    ...page.of({ entries: [], key: String, item: (entry: never) => entry }),
    stats: { total: 0, broken: { total: 0 } },
  })),
];
