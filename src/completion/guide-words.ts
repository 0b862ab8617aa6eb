import { guidePages, readPage, sectionsOf, titleOfPage } from '../cli/help/guide.js';
import { guideTopic } from '../cli/help/help.js';
import type { Candidate } from './candidate.js';

/** The pages of the guide, with their titles. */
export function guideCandidates(): Candidate[] {
  return guidePages().map((word) => ({ word, note: `Guide: ${titleOfPage(word)}` }));
}

/** What can stand behind these words of `docs help`: a page, then a section of it. */
export function behindGuide(words: readonly string[]): Candidate[] {
  const [page, ...more] = words[0] === guideTopic.name ? words.slice(1) : words;
  if (page === undefined) return guideCandidates();
  if (more.length > 0 || !guidePages().includes(page)) return [];
  return sectionsOf(readPage(page)).map(({ slug, title }) => ({ word: slug, note: title }));
}
