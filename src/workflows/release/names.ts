import { usageError } from '../../base/errors.js';
import { slug } from '../../base/name.js';
import { safeLine } from '../../output/text.js';

/** The titles and the path of a version, checked before anything is sent. */

/** Limits of the platform (spec B and C, "Limits"). */
const longest = { space: 50, section: 64, path: 100 } as const;
const shortestSection = 2;

/** @throws DocsError usage `invalid_version` */
export function versionOf(typed: string): string {
  const version = typed.trim();
  const fault =
    version === '' ? 'is empty' : safeLine(version) !== version ? 'has control characters' : undefined;
  if (fault === undefined) return version;
  throw usageError('invalid_version', `The version ${JSON.stringify(typed)} ${fault}; nothing was sent.`);
}

/**
 * The path of a version: the version itself, where it can stand in an address as it is.
 * @param typed the path of `--path`; undefined for none
 * @param command what was typed, without `--path`, for the hint
 * @throws DocsError usage `invalid_path`
 */
export function pathOf(
  version: string,
  typed: string | undefined,
  command: (path: string) => string,
): string {
  if (typed !== undefined) return typed;
  if (/^[\w.~-]+$/.test(version) && !/^\.+$/.test(version) && sizeOf(version) <= longest.path) return version;
  const near = slug(version, { most: longest.path, others: /[^a-z0-9._~]+/g }).replaceAll(
    /^[-.]+|[-.]+$/g,
    '',
  );
  const message = `The version ${JSON.stringify(version)} cannot be the path of its address${near === '' ? '' : `; the nearest one is ${near}`}. Nothing was sent.`;
  throw usageError('invalid_path', message, { hint: command(near === '' ? '<path>' : near) });
}

/**
 * The titles of copies.
 * @throws DocsError usage `title_too_long`, `title_taken`, `title_pattern`
 */
export function titlesOf(originals: readonly string[], version: string, pattern: string): string[] {
  if (originals.length > 1 && !pattern.includes('{title}')) {
    const message = `--title must contain {title}: ${originals.length} spaces would get the same title; nothing was sent.`;
    throw usageError('title_pattern', message);
  }
  return originals.map((title) => checked(copyTitle(title, version, pattern), title));
}

/** The title of a copy, whether or not the platform takes it. */
export function copyTitle(original: string, version: string, pattern: string): string {
  return pattern
    .replaceAll(/\{(title|version)\}/g, (_, name) => (name === 'title' ? original : version))
    .trim();
}

function checked(title: string, original: string): string {
  const shown = JSON.stringify(title);
  if (sizeOf(title) > longest.space) {
    const message = `The title ${shown} is ${sizeOf(title)} characters long, and a space title holds ${longest.space}; pass a shorter --title. Nothing was sent.`;
    throw usageError('title_too_long', message);
  }
  if (title !== '' && title !== original) return title;
  const what = title === '' ? 'is empty' : 'is that of the original';
  throw usageError(
    'title_taken',
    `The title ${shown} of the copy ${what}; pass another --title. Nothing was sent.`,
  );
}

/** The title of a new section. @throws DocsError usage `section_title` */
export function sectionTitleOf(version: string): string {
  const size = sizeOf(version);
  if (size >= shortestSection && size <= longest.section) return version;
  const message = `A section is titled with the version, which takes ${shortestSection} to ${longest.section} characters; ${JSON.stringify(version)} has ${size}. Nothing was sent.`;
  throw usageError('section_title', message);
}

/** Characters as limits count them. */
function sizeOf(text: string): number {
  return [...text].length;
}
