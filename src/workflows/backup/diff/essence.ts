import type { Folder } from '../folder/folder.js';
import type { FileEntry } from '../folder/manifest.js';

/** Fields that nobody sets or that follow from others, and counts of what is compared on its own. */
const passing = new Set(['lastSeenAt', 'updatedAt', 'urls', 'url', 'photoURL', 'outdated']);
const counts = /^(?:spaces|teams|members|siteSpaces|comments|changeRequests(?:Open|Draft)?)$/;

/** The part of a resource that is compared: without those fields. */
export function essenceOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essenceOf);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([key, member]) => !passing.has(key) && !(counts.test(key) && typeof member === 'number'),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, essenceOf(member)]));
}

/** The same of a JSON text, as text; a text that is not JSON stays as it is. */
export function essenceOfText(text: string): string {
  try {
    return JSON.stringify(essenceOf(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** The essence of several files, as text. @param at folder that their paths are below */
export async function essenceOfFiles(
  folder: Folder,
  at: string,
  files: readonly FileEntry[],
): Promise<string> {
  const texts: string[] = [];
  for (const { kind, path } of files)
    texts.push(`${kind} ${essenceOfText((await folder.text(at + path)) ?? '')}`);
  return texts.sort().join('\n');
}
