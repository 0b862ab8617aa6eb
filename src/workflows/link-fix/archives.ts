import { createHash } from 'node:crypto';
import { type Static, Type } from '../../api/type.js';
import { keepFolder, pageText, placeInPack, zipOf } from '../../backup/pack.js';
import { safeFileName } from '../../base/file-name.js';
import { counted } from '../../output/counted.js';
import { closed, oneOf, text } from '../../output/printed-shapes.js';
import type { CorrectedPage } from './rows.js';
import { NewTarget } from './shapes.js';

/** The corrected pages of each space as an archive that the platform can import. */

/** A space with corrected pages. */
export interface SpaceFix {
  space: { id: string; title: string };
  pages: readonly CorrectedPage[];
  /** How many links it corrects. */
  links: number;
  /** Name of the archive. */
  name: string;
  bytes: Uint8Array;
  sha256: string;
  /** Of its change request: the same for the same archive, so that a second run finds the first. */
  subject: string;
  /** Where each page stands in the archive, by id. */
  places: ReadonlyMap<string, string>;
}

/** What is in the archives, beside them: `index.json`. */
export const FixIndex = closed({
  format: oneOf('docs-link-fixes/1'),
  spaces: Type.Array(
    closed({
      id: text,
      title: text,
      archive: text,
      sha256: text,
      subject: text,
      pages: Type.Array(
        closed({
          id: text,
          title: text,
          file: text,
          links: Type.Array(
            closed({ fingerprint: text, link: text, by: oneOf('id', 'title'), target: NewTarget }),
          ),
        }),
      ),
    }),
  ),
});
export type FixIndex = Static<typeof FixIndex>;

/** One for each space, in the order of the pages. */
export async function spaceFixes(pages: readonly CorrectedPage[]): Promise<SpaceFix[]> {
  const spaces = new Map<string, CorrectedPage[]>();
  for (const page of pages) {
    const { id } = page.content.space;
    spaces.set(id, [...(spaces.get(id) ?? []), page]);
  }
  return Promise.all([...spaces.values()].map(fixOf));
}

async function fixOf(pages: readonly CorrectedPage[]): Promise<SpaceFix> {
  const { content } = pages[0] as CorrectedPage;
  const { space } = content;
  const corrected = new Map(pages.map((page) => [page.pageId, page.corrected]));
  const placed = placeInPack(content.pages, false).pages.filter(({ page }) => corrected.has(page.id));
  const folder = safeFileName(space.title);
  const around = keepFolder(placed, [], folder);
  const items = placed.map(({ page, file }) => ({
    path: around + file,
    bytes: async () => once(Buffer.from(pageText(page, corrected.get(page.id) ?? ''))),
  }));
  const bytes = await collected(zipOf(items.sort((a, b) => (a.path < b.path ? -1 : 1))));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const links = pages.reduce((sum, page) => sum + page.links.length, 0);
  return {
    ...{ space, pages, links, bytes, sha256, name: `${folder}-${space.id}.zip` },
    subject: `Fix ${counted(links, 'broken link')} (${sha256.slice(0, 8)})`,
    places: new Map(placed.map(({ page, file }) => [page.id, around + file])),
  };
}

/** How many links a change request of this subject corrects; undefined for the subject of any other. */
export function linksOfSubject(subject: string): number | undefined {
  const [, count] = /^Fix ([\d,]+) broken links? \([0-9a-f]{8}\)$/.exec(subject) ?? [];
  return count === undefined ? undefined : Number(count.replaceAll(',', ''));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

export function indexOf(fixes: readonly SpaceFix[]): FixIndex {
  return {
    format: 'docs-link-fixes/1',
    spaces: fixes.map(({ space, name, sha256, subject, pages, places }) => ({
      ...space,
      ...{ archive: name, sha256, subject },
      pages: pages.map(({ content, pageId, links }) => ({
        id: pageId,
        title: content.byId.get(pageId)?.page.title ?? pageId,
        file: places.get(pageId) ?? '',
        links: links.map(({ finding, target, by }) => ({
          ...{ fingerprint: finding.fingerprint, link: finding.link, by, target },
        })),
      })),
    })),
  };
}
