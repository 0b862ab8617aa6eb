import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Sections of the guide that are derived from declarations. DOCS_RECORD=1 writes them anew. */

export const code = (word: string): string => `\`${word}\``;

export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;

const end = '<!-- end -->';

/**
 * Compares a section of a page with what it should be, or writes it.
 * @param source what the comment above the section names: `<!-- derived from <source>: … -->`
 */
export function holdSection(path: string, source: string, wanted: string): void {
  const page = readFileSync(path, 'utf8');
  const at = page.indexOf(`<!-- derived from ${source}: `);
  expect(at, `a section of ${path} derived from ${source}`).toBeGreaterThan(-1);
  const from = page.indexOf('\n', at) + 1;
  const to = page.indexOf(end, from);
  if (process.env.DOCS_RECORD === '1') writeFileSync(path, page.slice(0, from) + wanted + page.slice(to));
  else expect(page.slice(from, to)).toBe(wanted);
}
