/** What a test sees in a PDF of the sandbox. */
export interface SeenPdf {
  title: string;
  /** The text of each sheet, its lines in order. */
  sheets: string[];
}

/** Reads a PDF as readers do: from the end to the table of its objects, from the catalog to the sheets. */
export function seePdf(bytes: Uint8Array): SeenPdf {
  const file = Buffer.from(bytes).toString('latin1');
  const [, start] = /\nstartxref\n(\d+)\n%%EOF\n$/.exec(file) ?? [];
  if (!file.startsWith('%PDF-1.4\n') || start === undefined) throw new Error('This is not a whole PDF.');
  const [, count, table = '', trailer = ''] =
    /^xref\n0 (\d+)\n((?:\d{10} \d{5} [nf] \n)+)trailer\n(.*)\n/.exec(file.slice(Number(start))) ?? [];
  const offsets = table.match(/^\d{10}/gm) ?? [];
  if (offsets.length !== Number(count)) throw new Error('The table of objects is not whole.');
  const objectAt = (id: string | undefined): string => {
    const from = file.slice(Number(offsets[Number(id)]));
    if (!from.startsWith(`${id} 0 obj\n`))
      throw new Error(`There is no object ${id} where the table has it.`);
    return from.slice(0, from.indexOf('\nendobj\n'));
  };
  const named = (text: string, key: string) => objectAt(new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1]);
  const pages = named(named(trailer, 'Root'), 'Pages');
  const kids = /\/Kids \[([^\]]*)\]/.exec(pages)?.[1]?.match(/\d+(?= 0 R)/g) ?? [];
  const title = /\/Title <feff([0-9a-f]*)>/.exec(named(trailer, 'Info'))?.[1] ?? '';
  return {
    title: Buffer.from(title, 'hex').swap16().toString('utf16le'),
    sheets: kids.map((id) => shownText(named(objectAt(id), 'Contents'))),
  };
}

/** Of Windows-1252 at 0x80. Node 20 decodes this encoding as Latin-1. */
const highLetters = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

function shownText(content: string): string {
  const [, length, stream = ''] = /\/Length (\d+) >>\nstream\n([\s\S]*)\nendstream$/.exec(content) ?? [];
  if (stream.length !== Number(length)) throw new Error('A stream does not have its length.');
  const lines = Array.from(stream.matchAll(/\(((?:\\.|[^\\)])*)\) Tj/g), ([, line = '']) =>
    line.replaceAll(/\\(.)/g, '$1'),
  );
  return lines.join('\n').replaceAll(/[\x80-\x9f]/g, (byte) => highLetters.charAt(byte.charCodeAt(0) - 0x80));
}
