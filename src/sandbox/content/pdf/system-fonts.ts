import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { extname, join } from 'node:path';

/** Fonts of Chinese, Japanese and Korean, by the beginnings of their files' names, the best first. */
const eastAsian = [
  ...['notosanscjk', 'sourcehansans', 'notosansjp', 'notosanssc', 'notosanstc', 'notosanskr', 'notoserifcjk'],
  ...[
    'pingfang',
    'hiragino',
    'applesdgothic',
    'arial unicode',
    'msyh',
    'yugoth',
    'meiryo',
    'malgun',
    'simsun',
  ],
  ...[
    'wqy',
    'droidsansfallback',
    'ipaexg',
    'ipag',
    'takao',
    'vl-gothic',
    'nanumgothic',
    'uming',
    'ukai',
    'unifont',
  ],
];

const deepest = 5;

/** Folders where systems keep fonts. */
export function fontFolders(): string[] {
  const home = homedir();
  return [
    ...['/usr/share/fonts', '/usr/local/share/fonts', join(home, '.fonts'), join(home, '.local/share/fonts')],
    ...['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library/Fonts'), 'C:\\Windows\\Fonts'],
  ];
}

/** The files of fonts with Chinese, Japanese or Korean characters in the folders, the best first. */
export function eastAsianFonts(folders: readonly string[]): string[] {
  const found = folders.flatMap((folder) => filesIn(folder, deepest));
  const ranked = found.map((path) => ({ path, rank: rankOf(path) })).filter(({ rank }) => rank !== -1);
  ranked.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1));
  return ranked.map(({ path }) => path);
}

function rankOf(path: string): number {
  if (!/^\.(?:ttf|otf|ttc|otc)$/i.test(extname(path))) return -1;
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  return eastAsian.findIndex((beginning) => name.startsWith(beginning));
}

function filesIn(folder: string, depth: number): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 ? filesIn(path, depth - 1) : [];
    return [path];
  });
}

/** None for a folder that is missing or closed. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
