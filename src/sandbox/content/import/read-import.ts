import { refusal } from '../../refusal.js';
import type { ContentSource } from '../../sources/content-source.js';
import { htmlPage } from './html-page.js';
import { decodeText, type Imported } from './imported.js';
import { markdownPage } from './markdown-page.js';
import { zipContents } from './zip-pages.js';

const taken = ['website', 'markdown', 'html', 'zip'];

/** Reads and parses the content of a URL. @throws 400 if that fails, or for a source of another kind */
export async function readImport(
  { url, source }: { url: string; source: string },
  contents: ContentSource,
): Promise<Imported> {
  if (!taken.includes(source)) {
    throw refusal(400, `Unsupported import source "${source}"; the sandbox supports ${taken.join(', ')}.`);
  }
  if (source === 'website') return (await import('./website.js')).websiteContents(url, contents);
  const { bytes, name } = await contents.read(url);
  if (source === 'zip') return zipContents(bytes);
  const otherwise = name.replace(/\.[a-z]+$/i, '') || new URL(url).hostname;
  const text = decodeText(bytes, url);
  const page =
    source === 'markdown' ? await markdownPage(text, otherwise) : await htmlPage(text, otherwise, url);
  return { pages: [page], files: [], reusables: [] };
}
