import { refusal } from '../../refusal.js';
import { slugOf } from '../../text/slug.js';
import { dimensionsOf } from '../media.js';
import { htmlPage } from './html-page.js';
import type { Imported } from './imported.js';
import { zipEntries } from './zip-entries.js';

/** Styles that mammoth does not know: the title of a document becomes that of the page. */
const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

/**
 * Converts a Word document to a page with its images, which become files. Its title is the first paragraph of
 * the style Title or Heading 1, else `otherwise`.
 * @throws 400 unless it is a Word document within the limits of archives
 */
export async function docxContents(bytes: Uint8Array, otherwise: string): Promise<Imported> {
  // A document is an archive: unpacked within limits first, as mammoth has none.
  const entries = await zipEntries(bytes, { hiddenToo: true });
  const isWord = entries.some(({ path }) => path.join('/') === '[Content_Types].xml');
  if (!isWord) throw broken('it is not a Word document');
  const { convertToHtml, images } = await import('mammoth');
  const folder = `images/${slugOf(otherwise, 'document')}`;
  const files: Imported['files'] = [];
  const convertImage = images.imgElement(async (image) => {
    const data = new Uint8Array(await image.readAsBuffer());
    const ending = image.contentType.replace(/^image\//, '').replace(/\+.*$|^x-/g, '');
    const path = `${folder}-${files.length + 1}.${slugOf(ending, 'bin')}`;
    files.push({ path, contentType: image.contentType, dimensions: dimensionsOf(data), bytes: data });
    return { src: path };
  });
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const options = { styleMap, convertImage, externalFileAccess: false };
  const { value } = await convertToHtml({ buffer }, options).catch((error: Error): never => {
    throw broken(error.message.replace(/\.$/, ''));
  });
  return { pages: [await htmlPage(`<main>${withHeads(value)}</main>`, otherwise)], files, reusables: [] };
}

/** Makes the first row of each table its head, as tables of Markdown need one. */
function withHeads(html: string): string {
  const toHead = (row: string) => row.replaceAll(/(<\/?)td\b/g, '$1th');
  return html.replaceAll(/<table><tr>.*?<\/tr>/gs, toHead);
}

function broken(why: string) {
  return refusal(400, `Cannot import the document: ${why}.`);
}
