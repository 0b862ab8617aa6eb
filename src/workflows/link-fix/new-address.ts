import { absolutePath, relativePath } from '../../backup/pack-links.js';
import type { SpaceContent } from './contents.js';
import { hasPageEnding, type Named } from './named.js';

/** A page, file or space that a link may lead to. */
export interface Candidate {
  space: { id: string; title: string };
  page?: { id: string; title: string; path: string };
  file?: { id: string; name: string };
}

/** `Install (guides/install) of Handbook`. */
export function nameOf({ space, page, file }: Candidate): string {
  if (page !== undefined) return `${page.title} (${page.path}) of ${space.title}`;
  return file === undefined ? `the space ${space.title}` : `${file.name} of ${space.title}`;
}

/**
 * How a link to the target is written, in the way in which it was: a path stays a path, an id an id. Another space
 * has ids alone. Query and fragment are not part of it.
 */
export function newAddress(from: SpaceContent, pageId: string, { id, path }: Named, to: Candidate): string {
  const thing = to.page ? `/pages/${to.page.id}` : to.file ? `/files/${to.file.id}` : '';
  if (to.space.id !== from.space.id || thing === '') return `/spaces/${to.space.id}${thing}`;
  if (id !== undefined) return thing;
  const place = from.byId.get(pageId);
  const wanted = to.page?.id ?? to.file?.id;
  const target = pathOf(from, to, hasPageEnding(path));
  if (place === undefined || target === undefined) return thing;
  const relative = relativePath(place.file, target);
  const paths = path.startsWith('/') ? [absolutePath(target)] : [relative, absolutePath(target)];
  // Paths are ambiguous in places, so each is tried as the platform reads it.
  return paths.find((one) => from.read(pageId, '', one)?.id === wanted) ?? thing;
}

function pathOf(
  { byId, files }: SpaceContent,
  { page, file }: Candidate,
  asFile: boolean,
): string | undefined {
  if (page !== undefined) return asFile ? byId.get(page.id)?.file : byId.get(page.id)?.path;
  const found = files.find(({ id }) => id === file?.id);
  return found?.git?.path ?? found?.name;
}
