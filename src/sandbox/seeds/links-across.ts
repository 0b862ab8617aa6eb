import type { WrittenPage } from '../content/sample-pages.js';
import { appUrl } from '../records/fields.js';
import type { Seeding } from './seed.js';

/** How many spaces lie between one that links to others and the next. */
const every = 4;

/** The pages of a further space of Acme; the first of some of them links to other spaces. */
export function withLinksAcross(
  seeding: Seeding,
  index: number,
  [first, ...rest]: readonly WrittenPage[],
): WrittenPage[] {
  if (first === undefined) return [];
  if (index % every !== 1) return [first, ...rest];
  const [link = ''] = linksAcross(seeding).slice(Math.floor(index / every) % linksAcross(seeding).length);
  return [{ ...first, markdown: `${first.markdown}\n\nSee also ${link}.` }, ...rest];
}

/** Links to pages, a file and a whole space, by reference and by address; the last one is broken. */
function linksAcross({ id }: Seeding): string[] {
  const [welcome, guide, handbook] = [id('space welcome'), id('space guide'), id('space handbook')];
  const page = (space: string, path: string) => `/spaces/${space}/pages/${id(`${space} ${path}`)}`;
  return [
    `[workspaces](${page(guide, 'concepts/workspaces')}) and [their limits](${page(guide, 'concepts/workspaces')}#limits)`,
    `[the handover](${page(handbook, 'on-call')}#handover)`,
    `[the checklist](/spaces/${welcome}/files/${id(`${welcome} files/checklist.txt`)})`,
    `[the API reference](/spaces/${id('space api')})`,
    `[projects](${page(guide, 'concepts/projects')}) and [the quickstart](${page(welcome, 'getting-started/quickstart')})`,
    `[the overview in the app](${appUrl(`/o/${id('org acme')}/s/${guide}/overview`)})`,
    '[the published guide](https://docs.acme.example/guides/guide/concepts)',
    `[the manual of Globex](/spaces/${id('space globex')})`,
  ];
}
