import { type ZipFile, zipOf } from './zip.js';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A paragraph, perhaps of a style by id, with text or what else a paragraph has. */
export const paragraph = (content: string, style?: string) =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}${
    content.startsWith('<') ? content : `<w:r><w:t xml:space="preserve">${content}</w:t></w:r>`
  }</w:p>`;

export const bold = (text: string) => `<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`;
/** A link to the address of the relation `rId2`. */
export const link = (text: string) => `<w:hyperlink r:id="rId2"><w:r><w:t>${text}</w:t></w:r></w:hyperlink>`;
/** The picture `word/media/image1.png`. */
export const picture = (alt: string) =>
  `<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="${alt}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="rId3"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
export const table = (...rows: string[][]) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`;

/** A Word document of the body, with a picture and further files. */
export function docxOf(body: string, png: Uint8Array, more: readonly ZipFile[] = []): Buffer {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const relation = (id: string, kind: string, target: string, mode = '') =>
    `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"${mode}/>`;
  const relationships = (...all: string[]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;
  const style = (id: string, name: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  return zipOf([
    {
      name: '[Content_Types].xml',
      text: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    },
    { name: '_rels/.rels', text: relationships(relation('rId1', 'officeDocument', 'word/document.xml')) },
    {
      name: 'word/_rels/document.xml.rels',
      text: relationships(
        relation('rId1', 'styles', 'styles.xml'),
        relation('rId2', 'hyperlink', 'https://docs.example/a', ' TargetMode="External"'),
        relation('rId3', 'image', 'media/image1.png'),
      ),
    },
    {
      name: 'word/styles.xml',
      text: `<w:styles xmlns:w="${main}">${style('Title', 'Title')}${style('H2', 'heading 2')}</w:styles>`,
    },
    {
      name: 'word/document.xml',
      text: `<w:document xmlns:w="${main}" xmlns:r="${relations}"><w:body>${body}</w:body></w:document>`,
    },
    { name: 'word/media/image1.png', bytes: png },
    ...more,
  ]);
}
