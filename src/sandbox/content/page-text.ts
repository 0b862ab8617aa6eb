import type { Database } from '../store/database.js';
import { computedMarkdown } from './computed.js';
import { markdownOf, type PageAttributes, type PageRow } from './versions.js';

/** The whole text of a page: what was written, and what is computed, unless that is not wanted. */
export function textOf(db: Database, { version, attributes }: PageRow, computed = true): string {
  const { computed: definition } = JSON.parse(attributes) as PageAttributes;
  const parts = [markdownOf(db, version), computed ? computedMarkdown(db, definition) : ''];
  return parts.filter(Boolean).join('\n\n');
}
