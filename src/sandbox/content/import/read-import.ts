import { refusal } from '../../refusal.js';
import type { ContentSource } from '../../sources/content-source.js';
import { decodeText } from './decode-text.js';
import { htmlPage } from './html-page.js';
import type { Imported } from './imported.js';
import { markdownPage } from './markdown-page.js';
import { zipContents } from './zip-pages.js';

const taken = ['website', 'html', 'markdown', 'zip'];

/**
 * Reads and parses what an import names.
 * @param request the body of the request
 * @throws 400 for a source that the sandbox cannot read, and if there is nothing at the URL or it
 *   cannot be parsed as that source
 */
export async function readImport(
  request: { url: string; source: string },
  contents: ContentSource,
): Promise<Imported> {
  const { url, source } = request;
  if (!taken.includes(source)) {
    throw refusal(400, `The sandbox cannot import ${source}; it takes ${taken.join(', ')}.`);
  }
  const { bytes, name } = await contents.read(url);
  if (source === 'zip') return zipContents(bytes);
  const text = decodeText(bytes, url);
  const otherwise = name.replace(/\.[a-z]+$/i, '') || new URL(url).hostname;
  const page =
    source === 'markdown' ? await markdownPage(text, otherwise) : await htmlPage(text, otherwise, url);
  return { pages: [page], files: [], reusables: [] };
}
