import type { DocsError } from '../../base/errors.js';
import type { Document, Need } from '../../document/document.js';
import type { Page } from '../../output/printer.js';
import type { Session } from '../declare/session.js';
import { placeFacts } from './report-page.js';

/** How a report ends; see `ReportEnding`. */
interface Ending {
  warnings?: readonly string[];
  note?: string;
  failure?: DocsError;
}

/**
 * How a report ends, as the head of its page: the first sentence is the answer, and the others follow it. What a terminal
 * warns of is what was not read, or asks for the reader.
 */
export function answered({ note, failure, warnings = [] }: Ending, session: Session): Partial<Document> {
  const facts = placeFacts(session, session.settings.org?.value ?? '');
  const missing = failure?.kind === 'partial' ? warnings : [];
  const needs = warnings.filter((line) => !missing.includes(line));
  const told = {
    ...(missing.length > 0 && { missing }),
    ...(needs.length > 0 && { needs: needs.map((text): Need => ({ severity: 'attention', text })) }),
  };
  const ending = note ?? failure?.message;
  if (ending === undefined) return { facts, ...told };
  const [first = '', ...about] = ending.split(/(?<=[.!?]) (?=[A-Z0-9])/);
  const headline = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, '');
  return { headline, about, facts, ...told };
}

type Items = readonly unknown[] | AsyncIterable<Page>;

/** Rows, kept as they pass. */
export function keptItems(items: Items, kept: unknown[]): Items {
  if (isPaged(items)) return keptPages(items, kept);
  kept.push(...items);
  return items;
}

function isPaged(items: Items): items is AsyncIterable<Page> {
  return Symbol.asyncIterator in items;
}

async function* keptPages(pages: AsyncIterable<Page>, kept: unknown[]): AsyncGenerator<Page> {
  for await (const page of pages) {
    kept.push(...page.items);
    yield page;
  }
}
